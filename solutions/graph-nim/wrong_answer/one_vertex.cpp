// Mistake: removes single vertices only.
#include <cstdio>
#include <vector>

int main() {
    int n, m, u, v;
    scanf("%d%d", &n, &m);
    std::vector<int> removals, value(1 << n);
    for (int i = 0; i < n; i++) removals.push_back(1 << i);
    while (m--) {
        scanf("%d%d", &u, &v);
    }
    for (int left = 1; left < 1 << n; left++) {
        bool seen[128] = {};
        for (int gone : removals)
            if (left & gone) seen[value[left & ~gone]] = true;
        while (seen[value[left]]) value[left]++;
    }
    printf("%d\n", value[(1 << n) - 1]);
}
