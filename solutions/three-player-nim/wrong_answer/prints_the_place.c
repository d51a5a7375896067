// Mistake: right, but prints the place of A instead of the letter of the winner.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int n, fits = 0;
    long long ones = 0, twos = 0;
    scanf("%d", &n);
    long long *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++) {
        scanf("%lld", &a[i]);
        ones = (ones ^ a[i]) & ~twos;
        twos = (twos ^ a[i]) & ~ones;
    }
    for (int i = 0; i < n; i++) {
        if ((a[i] & (ones | twos)) == ones) fits = 1;
    }
    if (ones == 0 && twos == 0) {
        puts("3");
    } else if (twos < ones && fits) {
        puts("1");
    } else {
        puts("2");
    }
    return 0;
}
