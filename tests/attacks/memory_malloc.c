// Allocates heap memory without end.
// expect A B C D: memory
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    for (;;) {
        char *block = malloc(1 << 20);
        if (!block) pause();
        eat(block, 1 << 20);
    }
    return 0;
}
