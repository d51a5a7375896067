// Writes and removes files outside.
// expect A B C: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    if (argc < 2) return 0;
    must_fail("a file outside", open(path_in(argv[1], "marker"), O_CREAT | O_WRONLY, 0600));
    must_fail("a folder outside", mkdir(path_in(argv[1], "marker"), 0700));
    must_fail("the secret, to write", open(path_in(argv[1], "secret"), O_WRONLY));
    must_fail("the secret gone", unlink(path_in(argv[1], "secret")));
    return 0;
}
