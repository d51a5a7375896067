// Uses up the kernel's file watches.
// expect A B C: blocked
#include "attack.h"
#include <sys/inotify.h>

int main(int argc, char **argv) {
    (void)argc, (void)argv;
    for (int i = 0; i < 2000; i++)
        if (inotify_init1(0) < 0) break;
    return 0;
}
