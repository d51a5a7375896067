// Stops itself.
// expect A B C D: idle
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    raise(SIGSTOP);
    return 0;
}
