// Turns off swapping.
// expect A B C: syscall
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    must_fail("no swap", syscall(SYS_swapoff, "/nowhere"));
    return 0;
}
