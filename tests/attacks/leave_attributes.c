// Leaves data in the extended attributes of a folder.
// expect A B C: blocked
#include "attack.h"
#include <stdint.h>
#include <sys/xattr.h>

int main(int argc, char **argv) {
    (void)argc, (void)argv;
    must_fail("an extended attribute", setxattr(".", "user.note", "x", 1, 0));
    // The system call `setxattrat` of Linux 6.13.
    struct { uint64_t value; uint32_t size, flags; } note = {(uintptr_t)"x", 1, 0};
    must_fail("an extended attribute", syscall(463, AT_FDCWD, ".", 0, "user.note", &note, sizeof note));
    return 0;
}
