// A fork bomb.
// expect A B: cpu|processes|memory|wall|idle
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    for (;;) fork();
    return 0;
}
