// Reads the secret through paths that bypass the root.
// expect A B C: blocked
#include "attack.h"
static void try_open(const char *path) {
    char byte;
    int file = open(path, O_RDONLY);
    if (file >= 0 && read(file, &byte, 1) == 1) escaped(path);
}
int main(int argc, char **argv) {
    if (argc < 2) return 0;
    char path[PATH_MAX];
    const char *ways[] = {"/proc/self/root", "/proc/self/cwd/../../..", "/proc/1/root", "/proc/1/cwd", "/../../.."};
    for (int i = 0; i < 5; i++) {
        snprintf(path, sizeof path, "%s/%s/secret", ways[i], argv[1]);
        try_open(path);
    }
}
