// Loops without end.
// expect A B C D: cpu
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    burn();
    return 0;
}
