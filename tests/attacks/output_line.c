// Writes one line of a gigabyte.
// expect A B C D: output
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    for (long i = 0; i < 1L << 30; i++) putchar('x');
    return 0;
}
