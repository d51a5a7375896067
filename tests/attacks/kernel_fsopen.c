// Creates a filesystem.
// expect A B C: syscall
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    must_fail("a filesystem", syscall(SYS_fsopen, "tmpfs", 0));
    return 0;
}
