int once(int n) { return n; }
