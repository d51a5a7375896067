// Leaves a System V semaphore.
// expect A B C: blocked
#include "attack.h"
#include <sys/ipc.h>
#include <sys/sem.h>

int main(int argc, char **argv) {
    (void)argc, (void)argv;
    must_fail("a System V semaphore", semget(0x4e49, 1, IPC_CREAT | 0666));
    return 0;
}
