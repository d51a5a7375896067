// Ignores and blocks every signal and loops without end.
// expect A B C D: cpu
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    for (int s = 1; s < 65; s++) signal(s, SIG_IGN);
    burn();
    return 0;
}
