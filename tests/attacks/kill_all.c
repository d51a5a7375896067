// Kills everybody.
// expect A B: blocked|signal 9
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    // Only where process 1 is the cell: elsewhere this would be a catastrophe and not a test.
    if (access("/box", F_OK) == 0 && access("/etc/passwd", F_OK) != 0) {
        kill(-1, SIGSTOP);
        kill(-1, SIGKILL);
    }
    return 0;
}
