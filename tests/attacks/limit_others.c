// Lowers the limits of the process that started it.
// expect A B C: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    struct rlimit limit = {1, 1};
    must_fail("the parent's limits", syscall(SYS_prlimit64, getppid(), RLIMIT_NOFILE, &limit, NULL));
    return 0;
}
