// Mistake: expects the smaller heap to come first.
#include <stdio.h>
#include <stdlib.h>

static long long isqrt(__int128 x) {
    long long root = 0;
    for (long long bit = 1LL << 61; bit; bit >>= 1) {
        if ((__int128)(root + bit) * (root + bit) <= x) root += bit;
    }
    return root;
}

int main(void) {
    long long a, b;
    scanf("%lld %lld", &a, &b);
    long long d = llabs(b - a);
    puts(a == (d + isqrt((__int128)5 * d * d)) / 2 ? "0" : "1");
    return 0;
}
