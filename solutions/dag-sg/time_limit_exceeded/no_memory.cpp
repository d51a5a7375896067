// Too slow: the recursion stores no results, and there may be exponentially many paths.
#include <cstdio>
#include <set>
#include <vector>

std::vector<int> to[2005];

int sg(int u) {
    std::set<int> seen;
    for (int v : to[u]) seen.insert(sg(v));
    int g = 0;
    while (seen.count(g)) g++;
    return g;
}

int main() {
    int n, m, k, x, y, sum = 0;
    scanf("%d%d%d", &n, &m, &k);
    while (m--) {
        scanf("%d%d", &x, &y);
        to[x].push_back(y);
    }
    while (k--) {
        scanf("%d", &x);
        sum ^= sg(x);
    }
    puts(sum ? "win" : "lose");
}
