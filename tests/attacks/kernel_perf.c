// Opens a performance counter.
// expect A B C: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    char attributes[128] = {0};
    must_fail("a counter of the kernel", syscall(SYS_perf_event_open, attributes, 0, -1, -1, 0));
    return 0;
}
