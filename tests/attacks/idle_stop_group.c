// Stops its whole process group, which must not contain the judge.
// expect A B C D: idle
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    kill(0, SIGSTOP);
    return 0;
}
