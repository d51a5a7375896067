// Reads and writes the memory of the process that started it.
// expect A B C: syscall|blocked
#include "attack.h"
#include <sys/uio.h>

int main(int argc, char **argv) {
    (void)argc, (void)argv;
    char buffer[8];
    struct iovec here = {buffer, 8}, there = {(void *)0x400000, 8};
    must_fail("memory of the parent", process_vm_readv(getppid(), &here, 1, &there, 1, 0));
    must_fail("writing memory of the parent", process_vm_writev(getppid(), &here, 1, &there, 1, 0));
    return 0;
}
