// Too slow: goes through the lost pairs one by one.
#include <algorithm>
#include <cstdio>

int main() {
    long long n, a, b, x = 0;
    scanf("%lld", &n);
    if (n != 2) {
        while (n--) {
            scanf("%lld", &a);
            x ^= a;
        }
        puts(x ? "Yes" : "No");
        return 0;
    }
    scanf("%lld%lld", &a, &b);
    if (a > b) std::swap(a, b);
    // The k-th pair: floor(k phi) and k more; floor(k phi) grows by 2, or by 1 where k - 1 is the smaller of no pair.
    long double phi = 1.61803398874989484820L;
    volatile long long small = 0;
    long long k = 0;
    while (small < a) small = (long long)(++k * phi);
    puts(small == a && b - a == k ? "No" : "Yes");
}
