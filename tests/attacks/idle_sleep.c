// Sleeps without end.
// expect A B C D: idle
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    for (;;) pause();
    return 0;
}
