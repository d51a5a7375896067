// Reads data of the process that started it.
// expect A B C: blocked
#include "attack.h"
static void try_open(const char *path) {
    char byte;
    int file = open(path, O_RDONLY);
    if (file >= 0 && read(file, &byte, 1) == 1) escaped(path);
}
int main(void) {
    char path[64];
    const char *names[] = {"environ", "mem", "maps", "fd/10", "fd/3", "root/etc/shadow", "cwd/etc/shadow"};
    for (int i = 0; i < 7; i++)
        for (int k = 0; k < 2; k++) {
            snprintf(path, sizeof path, "/proc/%d/%s", k ? 1 : (int)getppid(), names[i]);
            try_open(path);
        }
}
