// Inserts input into the judge's terminal.
// expect A B C: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    char letter = 'x';
    must_fail("typing", ioctl(0, TIOCSTI, &letter));
    must_fail("typing blindly", ioctl(2, TIOCLINUX, &letter));
    return 0;
}
