// Mistake: thinks that a heap can be used if it holds at least as many stones as the nim-sum says.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int n, moves = 0;
    long long x = 0;
    scanf("%d", &n);
    long long *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++) {
        scanf("%lld", &a[i]);
        x ^= a[i];
    }
    for (int i = 0; i < n; i++) {
        if (x && a[i] >= x) moves++;
    }
    printf("%d\n", moves);
    return 0;
}
