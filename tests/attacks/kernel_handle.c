// Opens a file by its handle, bypassing folder permissions.
// expect A B C: syscall
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    must_fail("a file by its handle", syscall(SYS_open_by_handle_at, AT_FDCWD, NULL, 0));
    return 0;
}
