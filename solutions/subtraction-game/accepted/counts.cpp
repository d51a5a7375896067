// The same rule, with cases by the quotient of the size and r + 1.
#include <cstdio>
#include <vector>

int main() {
    int n;
    long long r, x = 0;
    if (scanf("%d%lld", &n, &r) != 2) return 1;
    std::vector<long long> a(n);
    for (auto &v : a) {
        if (scanf("%lld", &v) != 1) return 1;
        x ^= v % (r + 1);
    }
    int count = 0;
    if (x)
        for (auto v : a) {
            long long residue = v % (r + 1), target = residue ^ x;
            if (target < residue) count++;
            else if (target <= r && v > r) count++;
        }
    printf("%d\n", count);
}
