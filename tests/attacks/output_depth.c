// Folders inside folders, deeper than any path is long.
// On the machine's own disk the kernel may need all the time for that many folders.
// expect A B: blocked
// expect C D: blocked|cpu
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    for (int i = 0; i < 1000; i++)
        if (mkdir("d", 0700) < 0 || chdir("d") < 0) break;
    return 0;
}
