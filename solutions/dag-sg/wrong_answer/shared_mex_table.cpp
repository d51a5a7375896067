// Mistake: one mex table for all levels of the recursion. The values of the successors of a successor are
// still marked in it when the mex is read.
#include <cstdio>
#include <cstring>
#include <vector>

std::vector<int> to[2005];
int memo[2005];
bool seen[7000];

int sg(int u) {
    if (memo[u] >= 0) return memo[u];
    memset(seen, 0, sizeof seen);
    for (int v : to[u]) seen[sg(v)] = true;
    int g = 0;
    while (seen[g]) g++;
    return memo[u] = g;
}

int main() {
    int n, m, k, x, y, sum = 0;
    scanf("%d%d%d", &n, &m, &k);
    while (m--) {
        scanf("%d%d", &x, &y);
        to[x].push_back(y);
    }
    memset(memo, -1, sizeof memo);
    while (k--) {
        scanf("%d", &x);
        sum ^= sg(x);
    }
    puts(sum ? "win" : "lose");
}
