// Too slow: recomputes the xor of all other heaps for every heap.
#include <cstdio>
#include <vector>

int main() {
    int n;
    scanf("%d", &n);
    std::vector<long long> a(n);
    for (auto &v : a) scanf("%lld", &v);
    int count = 0;
    for (int i = 0; i < n; i++) {
        long long others = 0;
        for (int j = 0; j < n; j++)
            if (j != i) others ^= a[j];
        if (others < a[i]) count++;
    }
    printf("%d\n", count);
}
