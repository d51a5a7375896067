// Creates a sparse file of a terabyte.
// expect A B C D: output
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    int file = open("sparse", O_CREAT | O_WRONLY, 0600);
    if (ftruncate(file, 1L << 40) == 0) escaped("a file of a terabyte");
    return 0;
}
