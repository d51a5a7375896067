// Checks for unexpected environment variables.
// expect A B C D: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    extern char **environ;
    for (char **entry = environ; *entry; entry++)
        if (strncmp(*entry, "ATTACK=", 7)) escaped(*entry);
    return 0;
}
