// Stops or kills the process that started it.
// expect A B C: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    if (getppid() > 1) must_fail("a signal to the parent", kill(getppid(), 0));
    kill(getppid(), SIGSTOP);
    // Process 1 is only signalled if it is the cell.
    if (access("/box", F_OK) == 0) {
        kill(1, SIGKILL);
        kill(1, SIGSTOP);
    }
    return 0;
}
