// Leaves links to a folder outside, which the cleanup must not follow.
// expect A B C D: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    for (int i = 0; i < 100; i++) {
        char name[32];
        snprintf(name, sizeof name, "link%d", i);
        if (symlink(argv[1], name) < 0) break;
    }
    mkfifo("fifo", 0600);
    return 0;
}
