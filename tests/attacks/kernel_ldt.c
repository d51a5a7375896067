// Creates segments for 16-bit code.
// only x86_64
// expect A B C: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    char table[16];
    must_fail("segments of its own", syscall(SYS_modify_ldt, 0, table, sizeof table) > 0 ? 0 : -1);
    must_fail("segments of its own, written", syscall(SYS_modify_ldt, 1, table, 16));
    return 0;
}
