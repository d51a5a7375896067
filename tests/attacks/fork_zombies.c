// Creates zombies: children that exit and are not waited for.
// expect A B: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    for (int i = 0; i < 200; i++) {
        pid_t child = fork();
        if (child < 0) return 0;
        if (child == 0) _exit(0);
    }
    escaped("200 processes that nobody buried");
    return 0;
}
