// Sends a UDP datagram.
// expect A B C: blocked
#include "attack.h"
#include <arpa/inet.h>
#include <netinet/in.h>

int main(int argc, char **argv) {
    (void)argc, (void)argv;
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons(argc > 2 ? atoi(argv[2]) : 53)};
    int end = socket(AF_INET, SOCK_DGRAM, 0);
    if (end >= 0) must_fail("a datagram", sendto(end, "x", 1, 0, (struct sockaddr *)&to, sizeof to));
    return 0;
}
