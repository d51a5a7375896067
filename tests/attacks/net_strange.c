// Opens sockets of unusual families: netlink, packet, vsock, crypto …
// expect A B C: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    int families[] = {AF_NETLINK, AF_PACKET, AF_VSOCK, AF_ALG, AF_BLUETOOTH, AF_CAN, AF_TIPC, AF_KEY, AF_RDS, 44};
    for (int i = 0; i < 10; i++)
        for (int kind = 1; kind <= 5; kind++) must_fail("a socket", socket(families[i], kind, 0));
    return 0;
}
