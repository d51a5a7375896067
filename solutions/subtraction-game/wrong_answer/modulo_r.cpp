// Mistake: residues modulo r where it should be r + 1.
#include <cstdio>
#include <vector>

int main() {
    int n;
    long long r, x = 0;
    scanf("%d%lld", &n, &r);
    std::vector<long long> a(n);
    for (auto &v : a) {
        scanf("%lld", &v);
        x ^= v % r;
    }
    int count = 0;
    for (auto v : a) {
        long long target = (v % r) ^ x;
        if (x && (target < v % r || (target < r && v >= r))) count++;
    }
    printf("%d\n", count);
}
