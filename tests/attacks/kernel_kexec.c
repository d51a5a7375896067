// Loads another kernel.
// expect A B C: syscall
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    must_fail("another kernel", syscall(SYS_kexec_load, 0, 0, NULL, 0));
    return 0;
}
