// Changes the root by chroot.
// expect A B C: syscall
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    must_fail("another root", chroot("."));
    return 0;
}
