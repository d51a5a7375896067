// Loads a program into the kernel.
// expect A B C: syscall
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    must_fail("a program in the kernel", syscall(SYS_bpf, 5, NULL, 0));
    return 0;
}
