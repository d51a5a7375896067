// Lists the host's processes.
// expect A B: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    DIR *dir = opendir("/proc");
    struct dirent *entry;
    while (dir && (entry = readdir(dir))) {
        int pid = atoi(entry->d_name);
        if (pid > 1 && pid != getpid()) escaped("another process");
    }
    return 0;
}
