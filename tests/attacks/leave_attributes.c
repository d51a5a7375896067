// Leaves data in the extended attributes of a folder.
// expect A B C: blocked
#include "attack.h"
#include <sys/xattr.h>

int main(int argc, char **argv) {
    (void)argc, (void)argv;
    must_fail("an extended attribute", setxattr(".", "user.note", "x", 1, 0));
    return 0;
}
