// One pass for the nim-sum, one for the heaps that can shrink.
#include <stdio.h>

long long a[200000];

int main(void) {
    int n, count = 0;
    long long x = 0;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) scanf("%lld", &a[i]);
    for (int i = 0; i < n; i++) x ^= a[i];
    for (int i = 0; i < n; i++)
        if ((a[i] ^ x) < a[i]) count++;
    printf("%d\n", count);
    return 0;
}
