// Stores data in socket buffers.
// expect A: blocked|memory|cpu
// expect B C D: blocked|cpu
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    char buffer[4096] = {0};
    for (int i = 0; i < 400; i++) {
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) < 0) break;
        while (write(ends[1], buffer, sizeof buffer) > 0) {}
    }
    return 0;
}
