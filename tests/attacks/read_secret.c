// Reads the secret.
// expect A B C: blocked
#include "attack.h"
static void try_open(const char *path) {
    char byte;
    int file = open(path, O_RDONLY);
    if (file >= 0 && read(file, &byte, 1) == 1) escaped(path);
}
int main(int argc, char **argv) {
    if (argc > 1) try_open(path_in(argv[1], "secret"));
}
