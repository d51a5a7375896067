// Leaves data in the times of a folder.
// expect A B: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    struct timespec times[2] = {{12345, 0}, {54321, 0}};
    utimensat(AT_FDCWD, ".", times, 0);
    utimensat(AT_FDCWD, "/tmp", times, 0);
    return 0;
}
