// Raises its own limits.
// expect A B C: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    int kinds[] = {RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_NOFILE, RLIMIT_STACK, RLIMIT_CORE};
    for (int i = 0; i < 5; i++) {
        struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
        must_fail("a higher limit", setrlimit(kinds[i], &limit));
    }
    return 0;
}
