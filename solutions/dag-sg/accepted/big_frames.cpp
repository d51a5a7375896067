// Memoised recursion with a table for the mex in each stack frame: a path of 2000 vertices needs 16 MB of stack.
#include <cstdio>
#include <cstring>
#include <vector>

std::vector<int> to[2005];
int memo[2005];

int sg(int u) {
    if (memo[u] >= 0) return memo[u];
    int vis[2005];
    memset(vis, 0, sizeof vis);
    for (int v : to[u]) vis[sg(v)] = 1;
    int r = 0;
    while (vis[r]) r++;
    return memo[u] = r;
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
    printf("%s\n", sum ? "win" : "lose");
}
