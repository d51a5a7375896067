// Leaves files for the next run.
// expect A B C: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    const char *places[] = {"note", "/tmp/note", "/dev/shm/note", "/var/tmp/note"};
    for (int i = 0; i < 4; i++) close(open(places[i], O_CREAT | O_WRONLY, 0600));
    return 0;
}
