// Includes its own input.
// expect A B: any
#include "/dev/stdin"
