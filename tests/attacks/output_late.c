// Continues to write after the main process has ended.
// expect A B C D: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    if (fork() == 0) {
        usleep(100000);
        for (;;) puts("late");
    }
    return 0;
}
