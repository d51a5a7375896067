// Leaves files in folders without permissions.
// expect A B C D: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    mkdir("a", 0700);
    mkdir("a/b", 0700);
    close(open("a/b/c", O_CREAT | O_WRONLY, 0));
    chmod("a/b", 0);
    chmod("a", 0);
    chmod(".", 0);
    return 0;
}
