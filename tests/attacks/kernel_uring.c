// Uses io_uring, which bypasses system call filters.
// expect A B C: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    char parameters[256] = {0};
    must_fail("a ring", syscall(SYS_io_uring_setup, 4, parameters));
    return 0;
}
