// Leaves a key in the kernel.
// expect A B C: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    must_fail("a key", syscall(SYS_add_key, "user", "note", "x", 1, -3));
    must_fail("a keyring", syscall(SYS_keyctl, 0, -3, 1));
    return 0;
}
