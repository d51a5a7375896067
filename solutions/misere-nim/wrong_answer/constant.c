// Mistake: always the commonest answer.
#include <stdio.h>

int main(void) {
    int games;
    scanf("%d", &games);
    while (games-- > 0) puts("John");
}
