// Reads kernel memory, the disk and the log.
// expect A B C: blocked
#include "attack.h"
static void try_open(const char *path) {
    char byte;
    int file = open(path, O_RDONLY);
    if (file >= 0 && read(file, &byte, 1) == 1) escaped(path);
}
int main(void) {
    const char *paths[] = {"/proc/kcore", "/dev/mem", "/dev/kmsg", "/dev/vda", "/dev/sda", "/proc/kmsg", "/sys/kernel/debug"};
    for (int i = 0; i < 7; i++) try_open(paths[i]);
}
