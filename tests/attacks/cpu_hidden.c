// Computes in children without waiting for them, so that wait() does not report their time.
// expect A: cpu
// expect B: cpu|wall|idle
// expect C D: cpu|wall|idle|processes
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    signal(SIGCHLD, SIG_IGN);
    for (;;) {
        if (fork() == 0) {
            for (volatile long i = 0; i < 20000000; i++) {}
            _exit(0);
        }
        usleep(20000);
    }
    return 0;
}
