// Four children that each stay below the limit and together exceed it.
// expect A B C D: memory
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    for (int i = 0; i < 4; i++)
        if (fork() == 0) {
            char *block = malloc(28 << 20);
            if (block) eat(block, 28 << 20);
            pause();
        }
    wait(NULL);
    return 0;
}
