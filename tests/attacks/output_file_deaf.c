// Writes several files, each just within the limit, and ignores the signal.
// expect A B C D: output
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    signal(SIGXFSZ, SIG_IGN);
    char block[4096] = {0};
    for (int i = 0; i < 4; i++) {
        char name[16];
        snprintf(name, sizeof name, "big%d", i);
        int file = open(name, O_CREAT | O_WRONLY, 0600);
        while (write(file, block, sizeof block) > 0) {}
    }
    return 0;
}
