int twice(int);
