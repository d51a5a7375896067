// Compiles to a program of two gigabytes.
// expect A B: fails|output|memory|cpu
char giant[2000000000] = {1};
int main(void) { return giant[5]; }
