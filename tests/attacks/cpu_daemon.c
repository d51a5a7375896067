// Leaves a daemon of a daemon computing and ends well.
// expect A B C D: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            setsid();
            burn();
        }
        _exit(0);
    }
    wait(NULL);
    return 0;
}
