// Opens as many files as it can.
// expect A B C D: blocked
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    int count = 0;
    while (count < 5000 && open("/dev/null", O_RDONLY) >= 0) count++;
    if (count > 1100) escaped("more descriptors than allowed");
    return 0;
}
