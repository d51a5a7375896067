// Prints a winning move in the last possible heap, as its larger part.
#include <algorithm>
#include <cstdio>
#include <vector>

int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    std::vector<int> a(n);
    for (auto &v : a)
        if (scanf("%d", &v) != 1) return 1;
    int max = *std::max_element(a.begin(), a.end());
    std::vector<int> g(max + 1), seen(4096);
    for (int v = 1; v <= max; v++) {
        for (int b = 1; 2 * b < v; b++) seen[g[b] ^ g[v - b]] = v;
        while (seen[g[v]] == v) g[v]++;
    }
    int x = 0;
    for (int v : a) x ^= g[v];
    for (int i = n - 1; x && i >= 0; i--)
        for (int b = 1; 2 * b < a[i]; b++)
            if ((g[b] ^ g[a[i] - b]) == (x ^ g[a[i]])) {
                printf("%d %d\n", i + 1, a[i] - b);
                return 0;
            }
    puts("0 0");
}
