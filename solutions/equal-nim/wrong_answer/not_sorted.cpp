// Mistake: expects the first of two heaps to be the smaller one.
#include <cmath>
#include <cstdio>

int main() {
    long long n, a, b, x = 0;
    scanf("%lld", &n);
    if (n == 2) {
        scanf("%lld%lld", &a, &b);
        __int128 d = b - a, r = (__int128)sqrtl(5.0L * d * d);
        while (r * r > 5 * d * d) r--;
        while ((r + 1) * (r + 1) <= 5 * d * d) r++;
        puts((d + r) / 2 == a && d >= 0 ? "No" : "Yes");
        return 0;
    }
    while (n--) {
        scanf("%lld", &a);
        x ^= a;
    }
    puts(x ? "Yes" : "No");
}
