// Grows the data segment by brk without end.
// expect A B C D: memory
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    for (;;) {
        char *block = sbrk(1 << 20);
        if (block == (char *)-1) pause();
        eat(block, 1 << 20);
    }
    return 0;
}
