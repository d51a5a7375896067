// Leaves a System V shared memory segment.
// expect A B C: blocked
#include "attack.h"
#include <sys/ipc.h>
#include <sys/shm.h>

int main(int argc, char **argv) {
    (void)argc, (void)argv;
    must_fail("System V memory", shmget(0x4e49, 4096, IPC_CREAT | 0666));
    return 0;
}
