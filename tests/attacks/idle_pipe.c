// Reads from a pipe that has no data.
// expect A B C D: idle
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    int ends[2];
    char byte;
    if (pipe(ends) == 0 && read(ends[0], &byte, 1) == 1) return 2;
    return 0;
}
