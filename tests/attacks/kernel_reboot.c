// Reboots the machine (with invalid magic numbers, in case the call is not blocked).
// expect A B C: syscall
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    must_fail("a restart", syscall(SYS_reboot, 0, 0, 0, NULL));
    return 0;
}
