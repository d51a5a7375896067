// Allocates shared memory.
// expect A B C D: memory
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    size_t size = 1UL << 30;
    char *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) return 0;
    eat(block, size);
    return 0;
}
