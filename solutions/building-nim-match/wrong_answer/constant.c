// Mistake: says always the same.
#include <stdio.h>

int main(void) {
    puts("first\n1\n1 1");
}
