// Copies a tree of mounts.
// expect A B C: syscall
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    must_fail("a copy of the tree", syscall(SYS_open_tree, AT_FDCWD, "/", 1));
    return 0;
}
