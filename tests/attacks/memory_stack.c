// Recurses without end.
// expect A B C D: memory|signal 11
#include "attack.h"
static int deeper(volatile char *above) {
    volatile char here[4096];
    here[0] = above[0] + 1;
    return deeper(here) + here[0];
}
int main(void) {
    char first[1] = {0};
    return deeper(first);
}
