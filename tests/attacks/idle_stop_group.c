// Stops its whole process group, and the judge with it if it shared one.
// expect A B C D: idle
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    kill(0, SIGSTOP);
    return 0;
}
