// Changes the root by pivot_root.
// expect A B C: syscall
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    must_fail("another root", syscall(SYS_pivot_root, ".", "."));
    return 0;
}
