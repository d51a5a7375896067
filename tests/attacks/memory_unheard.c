// Ignores that a child is killed for exceeding the limit, and exits with code 0.
// expect A B C D: memory
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    if (fork() == 0) {
        char *block = malloc(256 << 20);
        if (block) eat(block, 256 << 20);
        _exit(0);
    }
    wait(NULL);
    return 0;
}
