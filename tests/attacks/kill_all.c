// Kills all processes.
// expect A B: blocked|signal 9
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    // Only if process 1 is the cell; otherwise this would kill all processes of the user.
    if (access("/box", F_OK) == 0 && access("/etc/passwd", F_OK) != 0) {
        kill(-1, SIGSTOP);
        kill(-1, SIGKILL);
    }
    return 0;
}
