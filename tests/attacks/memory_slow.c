// Allocates memory slowly.
// expect A B C D: memory
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    for (;;) {
        char *block = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (block == MAP_FAILED) pause();
        eat(block, 1 << 20);
        usleep(1000);
    }
    return 0;
}
