// Stores data in files of a memory filesystem.
// expect A B: blocked|output|memory
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    char buffer[65536];
    memset(buffer, 1, sizeof buffer);
    for (int i = 0; i < 1000; i++) {
        char name[64];
        snprintf(name, sizeof name, "/dev/shm/%d", i);
        int file = open(name, O_CREAT | O_WRONLY, 0600);
        for (int k = 0; file >= 0 && k < 4; k++)
            if (write(file, buffer, sizeof buffer) < 0) return 0;
        close(file);
    }
    escaped("256 MB in memory files");
    return 0;
}
