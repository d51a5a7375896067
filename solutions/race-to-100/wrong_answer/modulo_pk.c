// Mistake: counts modulo (p - 1) k.
#include <stdio.h>

int main(void) {
    long long t, k, p, x;
    scanf("%lld %lld %lld %lld", &t, &k, &p, &x);
    long long rest = (t - x) % ((p - 1) * k);
    printf("%lld\n", rest == 0 ? p : (rest - 1) / k + 1);
}
