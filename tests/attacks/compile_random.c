// Includes noise without end.
// expect A B: any
#include "/dev/random"
