// Starts as many processes as possible and counts them.
// expect A B: blocked
// expect C D: processes
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    int count = 1;
    while (count < 60) {
        pid_t child = fork();
        if (child < 0) break;
        if (child == 0) pause();
        count++;
    }
    usleep(300000);
    if (count > 17) escaped("more processes than allowed");
    return 0;
}
