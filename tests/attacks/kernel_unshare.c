// Creates namespaces in which it would be root.
// expect A B C: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    must_fail("a user namespace", unshare(CLONE_NEWUSER));
    must_fail("a network namespace", unshare(CLONE_NEWNET));
    return 0;
}
