// Crashes with a core dump.
// expect A B C D: signal 6
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    struct rlimit core = {RLIM_INFINITY, RLIM_INFINITY};
    setrlimit(RLIMIT_CORE, &core);
    abort();
    return 0;
}
