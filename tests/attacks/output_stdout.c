// Writes to standard output without end.
// expect A B C D: output
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    for (;;) puts("yes");
    return 0;
}
