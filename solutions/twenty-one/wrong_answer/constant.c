// Mistake: always the same number.
#include <stdio.h>

int main(void) {
    puts("0");
}
