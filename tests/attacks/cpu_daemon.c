// Leaves a running daemon (by a double fork) and exits with code 0.
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
