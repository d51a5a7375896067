// Writes to standard error without end.
// expect A B C D: output
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    for (;;) fputs("yes\n", stderr);
    return 0;
}
