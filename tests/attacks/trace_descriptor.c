// Duplicates a descriptor of the process that started it.
// expect A B C: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    int process = syscall(SYS_pidfd_open, getppid(), 0);
    if (process >= 0) must_fail("a descriptor of the parent", syscall(SYS_pidfd_getfd, process, 10, 0));
    return 0;
}
