// Changes OOM scores so that the kernel kills another process when memory runs out.
// expect A B: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    int file = open("/proc/self/oom_score_adj", O_WRONLY);
    if (file >= 0 && write(file, "-1000", 5) > 0) escaped("safety from the kernel when memory runs out");
    return 0;
}
