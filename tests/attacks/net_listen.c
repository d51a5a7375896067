// Listens for connections.
// expect A B C: blocked
#include "attack.h"
#include <arpa/inet.h>
#include <netinet/in.h>

int main(int argc, char **argv) {
    (void)argc, (void)argv;
    struct sockaddr_in at = {.sin_family = AF_INET};
    int end = socket(AF_INET, SOCK_STREAM, 0);
    if (end >= 0 && bind(end, (struct sockaddr *)&at, sizeof at) == 0) must_fail("listening", listen(end, 1));
    return 0;
}
