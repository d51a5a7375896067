// Removes its own scratch space.
// expect A B: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    must_fail("/box renamed", rename("/box", "/tmp/box"));
    must_fail("/tmp removed", rmdir("/tmp"));
    chmod("/box", 0);
    chmod("/tmp", 0);
    chmod("/dev/shm", 0);
    return 0;
}
