// Unmounts a filesystem.
// expect A B C: syscall
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    must_fail("an unmount", syscall(SYS_umount2, "/proc", 2));
    return 0;
}
