// Includes the secret, so that the compiler quotes it in a diagnostic.
// expect A B C: fails
#include SECRET
