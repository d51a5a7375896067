// Writes to a file without end.
// expect A B C D: output
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    int file = open("big", O_CREAT | O_WRONLY, 0600);
    char block[4096] = {0};
    while (write(file, block, sizeof block) > 0) {}
    return 0;
}
