// Mistake: always the same answer.
#include <stdio.h>

int main(void) {
    puts("Yes 1");
}
