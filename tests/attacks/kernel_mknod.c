// Creates a device file.
// expect A B C: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    must_fail("a device", mknod("disk", S_IFBLK | 0600, (254 << 8)));
    must_fail("a device in /tmp", mknod("/tmp/disk", S_IFBLK | 0600, (254 << 8)));
    return 0;
}
