// Makes a 32-bit system call.
// only x86_64
// expect A B C: syscall|signal 11
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory");
    if (result > 0) escaped("a 32-bit system call");
    return 0;
}
