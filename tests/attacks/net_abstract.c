// Connects to an abstract socket.
// expect A B C: blocked
#include "attack.h"
#include <stddef.h>
#include <sys/un.h>

int main(int argc, char **argv) {
    (void)argc, (void)argv;
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    size_t length = argc > 3 ? strlen(argv[3]) : 0;
    if (length) memcpy(to.sun_path + 1, argv[3], length);
    int end = socket(AF_UNIX, SOCK_STREAM, 0);
    if (end >= 0) must_fail("an abstract socket", connect(end, (struct sockaddr *)&to, offsetof(struct sockaddr_un, sun_path) + 1 + length));
    return 0;
}
