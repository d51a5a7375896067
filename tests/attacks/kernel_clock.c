// Sets the clock.
// expect A B C: syscall
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    struct timespec same;
    clock_gettime(CLOCK_REALTIME, &same);
    must_fail("the clock", syscall(SYS_clock_settime, CLOCK_MONOTONIC, &same));
    return 0;
}
