// Reads the host's user database.
// expect A B C: blocked
#include "attack.h"
static void try_open(const char *path) {
    char byte;
    int file = open(path, O_RDONLY);
    if (file >= 0 && read(file, &byte, 1) == 1) escaped(path);
}
int main(void) {
    const char *paths[] = {"/etc/shadow", "/etc/passwd", "/etc/gshadow", "/etc/sudoers", "/etc/ssh/sshd_config", "/etc/hostname",
                           "/etc/machine-id", "/var/log/dpkg.log"};
    for (int i = 0; i < 8; i++) try_open(paths[i]);
}
