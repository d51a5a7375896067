// Mistake: always the same value.
#include <stdio.h>

int main(void) {
    puts("0");
}
