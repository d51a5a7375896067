// Leaves running orphan processes.
// expect A B: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    int ends[2], count = 0;
    char byte;
    if (pipe2(ends, O_NONBLOCK) < 0) return 2;
    for (int i = 0; i < 200; i++) {
        pid_t child = fork();
        if (child < 0) break;
        if (child == 0) {
            if (fork() == 0) {
                if (write(ends[1], "x", 1) == 1) for (;;) pause();
            }
            _exit(0);
        }
        waitpid(child, NULL, 0);
    }
    usleep(200000);
    while (read(ends[0], &byte, 1) == 1) count++;
    if (count > 17) escaped("more orphans than processes allowed");
    return 0;
}
