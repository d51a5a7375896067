// Mistake: forgets that a residue may also be raised, by taking more than it and going round.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int n, moves = 0;
    long long r, x = 0;
    scanf("%d %lld", &n, &r);
    long long *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++) {
        scanf("%lld", &a[i]);
        a[i] %= r + 1;
        x ^= a[i];
    }
    for (int i = 0; i < n; i++) {
        if ((a[i] ^ x) < a[i]) moves++;
    }
    printf("%d\n", moves);
    return 0;
}
