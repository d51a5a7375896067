// Modifies its own program, which is run again for the next case.
// expect A B C: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    must_fail("itself, to write", open(argv[0], O_WRONLY));
    must_fail("itself, renamed", rename(argv[0], "/tmp/moved"));
    must_fail("itself, removed", unlink(argv[0]));
    return 0;
}
