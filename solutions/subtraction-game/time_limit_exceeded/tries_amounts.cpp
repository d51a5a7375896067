// Too slow: tries every amount from 1 to r for every heap.
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
    int count = 0;
    for (auto v : a)
        for (long long take = 1; take <= r && take <= v; take++)
            if ((x ^ v % (r + 1) ^ (v - take) % (r + 1)) == 0) count++;
    printf("%d\n", count);
}
