// Stores data in 500 pipes.
// expect A: blocked|memory|cpu
// expect B C D: blocked|cpu
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    char buffer[4096] = {0};
    for (int i = 0; i < 500; i++) {
        int ends[2];
        if (pipe2(ends, O_NONBLOCK) < 0) break;
        fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
        while (write(ends[1], buffer, sizeof buffer) > 0) {}
    }
    return 0;
}
