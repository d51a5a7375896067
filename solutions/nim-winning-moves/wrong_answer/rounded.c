// Mistake: reads the sizes as floating-point numbers, which round from 2^53 on.
#include <stdio.h>

unsigned long long heaps[200000];

int main(void) {
    int n, count = 0;
    unsigned long long x = 0;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) {
        double a;
        scanf("%lf", &a);
        heaps[i] = a;
        x ^= heaps[i];
    }
    for (int i = 0; i < n; i++) count += (heaps[i] ^ x) < heaps[i];
    printf("%d\n", count);
    return 0;
}
