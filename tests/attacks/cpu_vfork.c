// Starts short-lived children without end.
// expect A B C D: cpu|wall
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    for (;;) {
        pid_t child = vfork();
        if (child == 0) _exit(0);
        waitpid(child, NULL, 0);
    }
    return 0;
}
