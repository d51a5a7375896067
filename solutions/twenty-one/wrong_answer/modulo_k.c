// Mistake: counts modulo k.
#include <stdio.h>

int main(void) {
    long long l, k, x;
    scanf("%lld %lld %lld", &l, &k, &x);
    printf("%lld\n", (l - 1 - x) % k);
}
