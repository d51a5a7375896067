// Leaves processes in their own sessions.
// expect A B C D: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    for (int i = 0; i < 5; i++)
        if (fork() == 0) {
            setsid();
            signal(SIGTERM, SIG_IGN);
            for (;;) pause();
        }
    usleep(50000);
    return 0;
}
