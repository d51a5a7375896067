// Crashes: makes a table of Grundy values for sizes up to a million only.
#include <cstdio>
#include <vector>

int main() {
    int n;
    long long r;
    scanf("%d%lld", &n, &r);
    std::vector<long long> a(n), g(1000001);
    for (int v = 0; v <= 1000000; v++) g[v] = v % (r + 1);
    long long x = 0;
    for (auto &v : a) {
        scanf("%lld", &v);
        x ^= g.at(v);
    }
    int count = 0;
    for (auto v : a) {
        long long target = g[v] ^ x;
        if (x && (target < g[v] || (target <= r && v > r))) count++;
    }
    printf("%d\n", count);
}
