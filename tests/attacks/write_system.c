// Writes to the system's files.
// expect A B C: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    const char *paths[] = {"/usr/marker", "/etc/marker", "/lib/marker", "/marker", "/proc/marker", "/dev/marker", "/bin/marker"};
    for (int i = 0; i < 7; i++) must_fail(paths[i], open(paths[i], O_CREAT | O_WRONLY, 0600));
    must_fail("/usr/bin/true, to write", open("/usr/bin/true", O_WRONLY));
    return 0;
}
