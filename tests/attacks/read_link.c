// Reads the secret through a link.
// expect A B C: blocked
#include "attack.h"
static void try_open(const char *path) {
    char byte;
    int file = open(path, O_RDONLY);
    if (file >= 0 && read(file, &byte, 1) == 1) escaped(path);
}
int main(int argc, char **argv) {
    if (argc < 2) return 0;
    if (symlink(path_in(argv[1], "secret"), "soft") == 0) try_open("soft");
    if (link(path_in(argv[1], "secret"), "hard") == 0) try_open("hard");
}
