/* Mistake: always the commonest answer. */
#include <stdio.h>

int main(void) {
    puts("Yes");
    return 0;
}
