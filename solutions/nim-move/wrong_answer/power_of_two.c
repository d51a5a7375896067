// Mistake: takes as many stones as the highest binary one of the nim-sum is worth.
#include <stdio.h>

static long long a[100000];

int main(void) {
    int n, i = 0;
    long long x = 0, top = 1;
    scanf("%d", &n);
    for (int j = 0; j < n; j++) {
        scanf("%lld", &a[j]);
        x ^= a[j];
    }
    if (x == 0) return puts("0 0"), 0;
    while (x >>= 1) top <<= 1;
    while (!(a[i] & top)) i++;
    printf("%d %lld\n", i + 1, top);
}
