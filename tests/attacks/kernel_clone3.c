// Creates namespaces by clone3, whose flags a filter cannot inspect.
// expect A B C: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    struct { unsigned long long fields[11]; } arguments = {{CLONE_NEWUSER, 0, 0, 0, SIGCHLD}};
    long child = syscall(SYS_clone3, &arguments, sizeof arguments);
    if (child == 0) _exit(0);
    must_fail("a namespace by clone3", child);
    return 0;
}
