// Mistake: looks for the least value among 32 only.
#include <algorithm>
#include <cstdio>
#include <vector>

int main() {
    int n;
    scanf("%d", &n);
    std::vector<int> a(n);
    for (auto &v : a) scanf("%d", &v);
    int max = *std::max_element(a.begin(), a.end()), x = 0;
    std::vector<int> g(max + 1);
    for (int v = 1; v <= max; v++) {
        unsigned seen = 0;
        for (int b = 1; 2 * b < v; b++) seen |= 1u << ((g[b] ^ g[v - b]) & 31);
        while (g[v] < 31 && (seen >> g[v] & 1)) g[v]++;
    }
    for (int v : a) x ^= g[v];
    for (int i = 0; x && i < n; i++)
        for (int b = 1; 2 * b < a[i]; b++)
            if ((x ^ g[a[i]] ^ g[b] ^ g[a[i] - b]) == 0) {
                printf("%d %d\n", i + 1, b);
                return 0;
            }
    puts("0 0");
}
