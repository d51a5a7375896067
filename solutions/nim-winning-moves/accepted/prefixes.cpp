// The xor of all heaps but one, from prefixes and suffixes; the move is to that, if it is less.
#include <cstdio>
#include <vector>

int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    std::vector<long long> a(n), before(n + 1), after(n + 1);
    for (auto &v : a)
        if (scanf("%lld", &v) != 1) return 1;
    for (int i = 0; i < n; i++) before[i + 1] = before[i] ^ a[i];
    for (int i = n - 1; i >= 0; i--) after[i] = after[i + 1] ^ a[i];
    int count = 0;
    for (int i = 0; i < n; i++) count += (before[i] ^ after[i + 1]) < a[i];
    printf("%d", count);
}
