// Mistake: a winning move of the game in which the last stone wins.
#include <cstdio>
#include <vector>

int main() {
    int n;
    long long r, x = 0;
    scanf("%d%lld", &n, &r);
    std::vector<long long> a(n);
    for (auto &v : a) {
        scanf("%lld", &v);
        x ^= v % (r + 1);
    }
    for (int i = 0; x && i < n; i++) {
        long long g = a[i] % (r + 1);
        if ((g ^ x) < g) {
            printf("%d %lld\n", i + 1, g - (g ^ x));
            return 0;
        }
    }
    puts("0 0");
}
