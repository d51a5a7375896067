// Includes an endless file of zeros.
// expect A B: any
#include "/dev/zero"
