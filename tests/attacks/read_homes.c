// Lists home directories and other folders of the host.
// expect A B C: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    const char *paths[] = {"/root", "/home", "/var", "/opt", "/srv", "/run", "/sys", "/boot"};
    for (int i = 0; i < 8; i++) {
        DIR *dir = opendir(paths[i]);
        struct dirent *entry;
        while (dir && (entry = readdir(dir)))
            if (entry->d_name[0] != '.' || entry->d_name[1]) {
                // The parent folders of a mount exist, but contain nothing else.
                if (strcmp(entry->d_name, "lib")) escaped(paths[i]);
            }
    }
    return 0;
}
