// Mistake: the last winning heap instead of the first.
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
    for (int i = n; i-- > 0;)
        if ((a[i] ^ x) < a[i]) {
            printf("%d %lld\n", i + 1, a[i] - (a[i] ^ x));
            return 0;
        }
    puts("0 0");
}
