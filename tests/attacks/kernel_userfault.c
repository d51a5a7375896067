// Requests to handle page faults in user space.
// expect A B C: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    must_fail("page faults to handle", syscall(SYS_userfaultfd, 0));
    return 0;
}
