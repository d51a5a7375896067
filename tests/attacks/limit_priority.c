// Gives itself a higher priority.
// expect A B C: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    must_fail("a higher priority", setpriority(PRIO_PROCESS, 0, -10));
    struct sched_param real = {10};
    must_fail("real time", sched_setscheduler(0, SCHED_FIFO, &real));
    return 0;
}
