// Leaves message queues.
// expect A B C: blocked
#include "attack.h"
#include <sys/ipc.h>
#include <sys/msg.h>

int main(int argc, char **argv) {
    (void)argc, (void)argv;
    must_fail("a System V queue", msgget(0x4e49, IPC_CREAT | 0666));
    must_fail("a POSIX queue", syscall(SYS_mq_open, "/note", O_CREAT | O_RDWR, 0600, NULL));
    return 0;
}
