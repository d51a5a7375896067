// Waits for children that use CPU time without end.
// expect A B C D: cpu
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    for (int i = 0; i < 2; i++)
        if (fork() == 0) burn();
    while (wait(NULL) > 0) {}
    return 0;
}
