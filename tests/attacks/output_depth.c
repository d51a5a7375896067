// Nests folders deeper than the maximum path length.
// On a disk the kernel may need the whole time limit for that many folders.
// expect A B: blocked
// expect C D: blocked|cpu
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    for (int i = 0; i < 1000; i++)
        if (mkdir("d", 0700) < 0 || chdir("d") < 0) break;
    return 0;
}
