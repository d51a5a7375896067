// Mounts a filesystem.
// expect A B C: syscall
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    must_fail("a mount", syscall(SYS_mount, "none", "/tmp", "tmpfs", 0, NULL));
    return 0;
}
