// Mistake: always the same move.
#include <stdio.h>

int main(void) {
    puts("1 1");
}
