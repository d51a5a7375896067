// Accesses the parents of the working directory.
// expect A B C: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    int dir = open(".", O_RDONLY | O_DIRECTORY);
    int file = -1;
    char byte;
    for (int i = 0; i < 20; i++) {
        file = openat(dir, "etc/shadow", O_RDONLY);
        if (file >= 0 && read(file, &byte, 1) == 1) escaped("/etc/shadow by way of the parents");
        dir = openat(dir, "..", O_RDONLY | O_DIRECTORY);
    }
    return 0;
}
