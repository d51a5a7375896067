#include <stdio.h>

static long long fold(long long n) { return n == 0 ? 0 : (fold(n - 1) / 2 + n) % 1000003; }

int main(void) {
    long long n;
    if (scanf("%lld", &n) != 1) return 1;
    printf("%lld\n", fold(n));
    return 0;
}
