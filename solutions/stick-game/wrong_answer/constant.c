// Mistake: always the commonest answer, won and lost in turn.
#include <stdio.h>

int main(void) {
    int n;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) putchar("WL"[i % 2]);
    putchar('\n');
}
