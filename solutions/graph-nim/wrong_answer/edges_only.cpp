// Mistake: removes ends of edges only, and no single vertices.
#include <cstdio>
#include <vector>

int main() {
    int n, m, u, v;
    scanf("%d%d", &n, &m);
    std::vector<int> removals, value(1 << n);
    while (m--) {
        scanf("%d%d", &u, &v);
        removals.push_back(1 << (u - 1) | 1 << (v - 1));
    }
    for (int left = 1; left < 1 << n; left++) {
        bool seen[128] = {};
        for (int gone : removals)
            if ((left & gone) == gone) seen[value[left & ~gone]] = true;
        while (seen[value[left]]) value[left]++;
    }
    printf("%d\n", value[(1 << n) - 1]);
}
