// Executes itself without end.
// expect A B C D: cpu|wall
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    execv("/proc/self/exe", argv);
    return 0;
}
