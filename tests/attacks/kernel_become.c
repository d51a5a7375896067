// Changes its user and groups.
// expect A B C: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    must_fail("another user", setresuid(12345, 12345, 12345));
    must_fail("other groups", setgroups(0, NULL));
    if (geteuid() != 0) must_fail("root", setuid(0));
    return 0;
}
