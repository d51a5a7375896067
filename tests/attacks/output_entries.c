// Creates a million empty files.
// expect A B: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    for (int i = 0; i < 1000000; i++) {
        char name[32];
        snprintf(name, sizeof name, "%d", i);
        int file = open(name, O_CREAT | O_WRONLY, 0600);
        if (file < 0) return 0;
        close(file);
    }
    escaped("a million files");
    return 0;
}
