// Mistake: always the same answer.
#include <stdio.h>

int main(void) {
    puts("0 2 0");
}
