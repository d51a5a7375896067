// Too slow: tries every amount from every heap.
#include <cstdio>
#include <vector>

int main() {
    int n;
    long long r, x = 0;
    scanf("%d%lld", &n, &r);
    std::vector<long long> a(n);
    int big = 0;
    for (auto &v : a) {
        scanf("%lld", &v);
        x ^= v % (r + 1);
        big += v % (r + 1) > 1;
    }
    for (int i = 0; i < n; i++)
        for (long long take = 1; take <= r && take <= a[i]; take++) {
            long long g = a[i] % (r + 1), then = (a[i] - take) % (r + 1);
            bool small = big - (g > 1) + (then > 1) == 0;
            if ((x ^ g ^ then) == (small ? 1 : 0)) {
                printf("%d %lld\n", i + 1, take);
                return 0;
            }
        }
    puts("0 0");
}
