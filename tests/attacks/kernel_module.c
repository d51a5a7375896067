// Loads a module.
// expect A B C: syscall
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    must_fail("a module", syscall(SYS_finit_module, 0, "", 0));
    return 0;
}
