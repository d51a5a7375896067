// Makes a system call by its x32 number.
// only x86_64
// expect A B C: syscall
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    long result = syscall(0x40000000 | SYS_getpid);
    if (result > 0) escaped("an x32 system call");
    return 0;
}
