/* Mistake: keeps the sizes in 32-bit integers. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int n;
    scanf("%d", &n);
    unsigned *a = malloc(n * sizeof *a), x = 0;
    for (int i = 0; i < n; i++) {
        unsigned long long v;
        scanf("%llu", &v);
        x ^= a[i] = (unsigned)v;
    }
    int count = 0;
    for (int i = 0; i < n; i++) count += (a[i] ^ x) < a[i];
    printf("%d\n", count);
    return 0;
}
