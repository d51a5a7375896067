// Checks for remaining privileges.
// expect A B C: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    char line[256];
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status)) {
        if ((!strncmp(line, "CapEff", 6) || !strncmp(line, "CapPrm", 6) || !strncmp(line, "CapAmb", 6)) && !strstr(line, "0000000000000000")) escaped(line);
        if (!strncmp(line, "NoNewPrivs", 10) && !strchr(line, '1')) escaped(line);
        if (!strncmp(line, "Seccomp:", 8) && !strchr(line, '2')) escaped(line);
    }
    if (!status) escaped("no view of itself");
    return 0;
}
