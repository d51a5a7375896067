// Includes zeros without end.
// expect A B: any
#include "/dev/zero"
