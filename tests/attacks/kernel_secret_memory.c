// Creates secret memory that the kernel itself cannot read.
// expect A B C: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    must_fail("memory nobody sees", syscall(SYS_memfd_secret, 0));
    return 0;
}
