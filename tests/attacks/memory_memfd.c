// Stores data in anonymous files (memfd).
// expect A B C: blocked|output|memory
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    for (int i = 0; i < 500; i++) {
        int file = syscall(SYS_memfd_create, "x", 0);
        if (file < 0 || posix_fallocate(file, 0, 900 << 10) != 0) return 0;
    }
    escaped("450 MB in anonymous files");
    return 0;
}
