// Connects to the host by TCP over IPv6.
// expect A B C: blocked
#include "attack.h"
#include <arpa/inet.h>
#include <netinet/in.h>

int main(int argc, char **argv) {
    (void)argc, (void)argv;
    struct sockaddr_in6 to = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT, .sin6_port = htons(argc > 2 ? atoi(argv[2]) : 22)};
    int end = socket(AF_INET6, SOCK_STREAM, 0);
    if (end >= 0) must_fail("a connection", connect(end, (struct sockaddr *)&to, sizeof to));
    return 0;
}
