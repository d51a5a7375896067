// Kills a process outside the cell.
// expect A B C: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    if (argc < 5) return 0;
    must_fail("a signal to the victim", kill(atoi(argv[4]), SIGKILL));
    must_fail("a descriptor of the victim", syscall(SYS_pidfd_open, atoi(argv[4]), 0) >= 0
              ? syscall(SYS_pidfd_send_signal, syscall(SYS_pidfd_open, atoi(argv[4]), 0), SIGKILL, NULL, 0) : -1);
    return 0;
}
