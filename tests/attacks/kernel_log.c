// Reads the kernel's log.
// expect A B C: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    char buffer[64];
    must_fail("the kernel's log", syscall(SYS_syslog, 3, buffer, sizeof buffer));
    return 0;
}
