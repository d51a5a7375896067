// Mistake: sorts the values of the successors and stops at the first that is not its own index.
// One value met twice, from one edge given twice or from two vertices, ends the count too early.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The edges that leave a vertex are in a list: first[u] and then next[e], from 1.
int first[2001], next[6001], to[6001], degree[2001], memo[2001];

static int up(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int sg(int u) {
    if (memo[u] < 0) {
        int values[degree[u] + 1], count = 0, g = 0;
        for (int e = first[u]; e; e = next[e]) values[count++] = sg(to[e]);
        qsort(values, count, sizeof *values, up);
        while (g < count && values[g] == g) g++;
        memo[u] = g;
    }
    return memo[u];
}

int main(void) {
    int n, m, k, x = 0;
    scanf("%d %d %d", &n, &m, &k);
    for (int e = 1; e <= m; e++) {
        int u;
        scanf("%d %d", &u, &to[e]);
        next[e] = first[u];
        first[u] = e;
        degree[u]++;
    }
    memset(memo, -1, sizeof memo);
    while (k--) {
        int t;
        scanf("%d", &t);
        x ^= sg(t);
    }
    puts(x ? "win" : "lose");
    return 0;
}
