// Enters a namespace.
// expect A B C: syscall
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    must_fail("another namespace", setns(open("/proc/self/ns/net", O_RDONLY), 0));
    return 0;
}
