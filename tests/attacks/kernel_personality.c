// Sets a personality with executable data.
// expect A B C: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    must_fail("a strange personality", syscall(SYS_personality, 0x0400000));
    return 0;
}
