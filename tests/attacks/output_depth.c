// Folders inside folders, deeper than any path is long.
// expect A B C D: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    for (int i = 0; i < 1000; i++)
        if (mkdir("d", 0700) < 0 || chdir("d") < 0) break;
    return 0;
}
