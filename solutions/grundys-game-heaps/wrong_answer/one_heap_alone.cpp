// Mistake: wins the first heap that is won by itself, as if the others were not there.
#include <algorithm>
#include <cstdio>
#include <vector>

int main() {
    int n;
    scanf("%d", &n);
    std::vector<int> a(n);
    for (auto &v : a) scanf("%d", &v);
    int max = *std::max_element(a.begin(), a.end());
    std::vector<int> g(max + 1), seen(4096);
    for (int v = 1; v <= max; v++) {
        for (int b = 1; 2 * b < v; b++) seen[g[b] ^ g[v - b]] = v;
        while (seen[g[v]] == v) g[v]++;
    }
    for (int i = 0; i < n; i++)
        for (int b = 1; g[a[i]] && 2 * b < a[i]; b++)
            if (g[b] == g[a[i] - b]) {
                printf("%d %d\n", i + 1, b);
                return 0;
            }
    puts("0 0");
}
