// Includes an endless file of random bytes.
// expect A B: any
#include "/dev/random"
