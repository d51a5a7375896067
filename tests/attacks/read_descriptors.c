// Checks for inherited descriptors.
// expect A B C D: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    for (int fd = 3; fd < 4096; fd++)
        if (fcntl(fd, F_GETFD) >= 0) escaped("an inherited descriptor");
    char byte;
    if (read(0, &byte, 1) > 0) escaped("something on standard input");
    return 0;
}
