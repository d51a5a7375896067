/* Mistake: keeps the sizes in 32-bit integers, so the upper digits are lost. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int n;
    scanf("%d", &n);
    unsigned *a = malloc(n * sizeof *a), ones = 0, twos = 0;
    for (int i = 0; i < n; i++) {
        unsigned long long v;
        scanf("%llu", &v);
        a[i] = (unsigned)v;
        ones = (ones ^ a[i]) & ~twos;
        twos = (twos ^ a[i]) & ~ones;
    }
    char winner = 'B';
    if (!ones && !twos) winner = 'C';
    else if (twos < ones)
        for (int i = 0; i < n; i++)
            if ((a[i] & (ones | twos)) == ones) winner = 'A';
    printf("%c\n", winner);
    return 0;
}
