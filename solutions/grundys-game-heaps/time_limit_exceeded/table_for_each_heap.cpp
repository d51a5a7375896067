// Too slow: recomputes the table of values for each heap.
#include <cstdio>
#include <set>
#include <vector>

static int value(int size) {
    std::vector<int> g(size + 1);
    for (int v = 1; v <= size; v++) {
        std::set<int> seen;
        for (int b = 1; 2 * b < v; b++) seen.insert(g[b] ^ g[v - b]);
        while (seen.count(g[v])) g[v]++;
    }
    return g[size];
}

int main() {
    int n, x = 0;
    scanf("%d", &n);
    std::vector<int> a(n), g;
    for (auto &v : a) {
        scanf("%d", &v);
        g.push_back(value(v));
        x ^= g.back();
    }
    for (int i = 0; x && i < n; i++)
        for (int b = 1; 2 * b < a[i]; b++)
            if ((x ^ g[i] ^ value(b) ^ value(a[i] - b)) == 0) {
                printf("%d %d\n", i + 1, b);
                return 0;
            }
    puts("0 0");
}
