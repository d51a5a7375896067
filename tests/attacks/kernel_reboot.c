// Restarts the machine (with magic numbers that are wrong, in case nobody stops it).
// expect A B C: syscall
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    must_fail("a restart", syscall(SYS_reboot, 0, 0, 0, NULL));
    return 0;
}
