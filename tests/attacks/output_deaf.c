// Writes without end and ignores a closed pipe.
// expect A B C D: output
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    signal(SIGPIPE, SIG_IGN);
    char block[4096] = {0};
    for (;;) if (write(1, block, sizeof block) < 0) {}
    return 0;
}
