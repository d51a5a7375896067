// Changes the kernel's settings.
// expect A B: blocked
// expect C: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    const char *paths[] = {"/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/proc/sys/vm/drop_caches",
                           "/proc/self/uid_map", "/sys/kernel/uevent_helper"};
    for (int i = 0; i < 5; i++) {
        int file = open(paths[i], O_WRONLY);
        if (file >= 0 && write(file, "0", 0) >= 0 && i != 3) escaped(paths[i]);
    }
    return 0;
}
