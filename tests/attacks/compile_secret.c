// Includes the secret, hoping that the compiler quotes it.
// expect A B C: fails
#include SECRET
