// Mistake: prints what is left of the heap.
#include <stdio.h>

static long long a[100000];

int main(void) {
    int n;
    long long x = 0;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) {
        scanf("%lld", &a[i]);
        x ^= a[i];
    }
    for (int i = 0; i < n; i++)
        if ((a[i] ^ x) < a[i]) return printf("%d %lld\n", i + 1, a[i] ^ x), 0;
    puts("0 0");
}
