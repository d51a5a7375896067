// Too slow: recomputes every set each time it occurs.
#include <cstdio>
#include <vector>

std::vector<int> removals;

int value(int left) {
    long long seen = 0;
    for (int gone : removals)
        if ((left & gone) == gone) seen |= 1LL << value(left ^ gone);
    int g = 0;
    while (seen >> g & 1) g++;
    return g;
}

int main() {
    int n, m, u, v;
    scanf("%d%d", &n, &m);
    for (int i = 0; i < n; i++) removals.push_back(1 << i);
    while (m--) {
        scanf("%d%d", &u, &v);
        removals.push_back(1 << (u - 1) | 1 << (v - 1));
    }
    printf("%d\n", value((1 << n) - 1));
}
