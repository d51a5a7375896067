// Changes the host name.
// expect A B C: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    must_fail("a host name", sethostname("x", 1));
    return 0;
}
