// Creates set-user-id and set-group-id files.
// expect A B C: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    int file = open("lent", O_CREAT | O_WRONLY, 0755);
    if (file < 0) return 0;
    must_fail("set-user-id", fchmod(file, 04755));
    must_fail("set-group-id", chmod("lent", 02755));
    must_fail("made with set-user-id", open("other", O_CREAT | O_WRONLY, 04755));
    return 0;
}
