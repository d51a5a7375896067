// Not an attack: checks whether the previous run left anything behind.
#include "attack.h"
static void look(const char *path) {
    DIR *dir = opendir(path);
    struct dirent *entry;
    struct stat data;
    while (dir && (entry = readdir(dir)))
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..") && entry->d_type != DT_DIR) escaped(entry->d_name);
    if (dir) closedir(dir);
    if (stat(path, &data) == 0 && (data.st_mtime == 54321 || data.st_atime == 12345)) escaped("times");
}
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    look(".");
    // Without namespaces these are shared with the host.
    if (access("/box", F_OK) == 0 && getpid() < 100000 && getppid() <= 1) {
        look("/tmp");
        look("/dev/shm");
    }
    return 0;
}
