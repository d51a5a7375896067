// Too slow: tries every amount.
#include <cstdio>
#include <vector>

int main() {
    int n;
    scanf("%d", &n);
    std::vector<long long> a(n);
    long long x = 0;
    for (auto &v : a) {
        scanf("%lld", &v);
        x ^= v;
    }
    for (int i = 0; i < n; i++)
        for (long long t = 1; t <= a[i]; t++)
            if ((x ^ a[i] ^ (a[i] - t)) == 0) {
                printf("%d %lld\n", i + 1, t);
                return 0;
            }
    puts("0 0");
}
