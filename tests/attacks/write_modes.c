// Changes the permissions and times of its own program, which Landlock does not protect.
// expect A B: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    struct timespec times[2] = {{1, 0}, {1, 0}};
    must_fail("itself, with other permissions", chmod(argv[0], 0777));
    must_fail("itself, with other times", utimensat(AT_FDCWD, argv[0], times, 0));
    return 0;
}
