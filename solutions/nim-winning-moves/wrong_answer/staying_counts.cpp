// Mistake: compares with <= and so counts "moves" that take nothing when the nim-sum is zero.
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
    int count = 0;
    for (auto v : a) count += (v ^ x) <= v;
    printf("%d\n", count);
}
