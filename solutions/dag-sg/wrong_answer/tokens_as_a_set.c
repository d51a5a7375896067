// Mistake: keeps the tokens in a set, so that two on one vertex become one instead of cancelling.
#include <stdio.h>

int first[2001], next[6001], to[6001]; // the edges of a vertex, linked
int known[2001], token[2001];

static int sg(int v) {
    if (known[v]) return known[v] - 1;
    char seen[128] = {0}; // 6000 edges allow values up to 109
    for (int e = first[v]; e; e = next[e]) seen[sg(to[e])] = 1;
    int g = 0;
    while (seen[g]) g++;
    known[v] = g + 1;
    return g;
}

int main(void) {
    int n, m, k, v, x = 0;
    scanf("%d %d %d", &n, &m, &k);
    for (int e = 1; e <= m; e++) {
        scanf("%d %d", &v, &to[e]);
        next[e] = first[v];
        first[v] = e;
    }
    while (k--) {
        scanf("%d", &v);
        token[v] = 1;
    }
    for (v = 1; v <= n; v++) {
        if (token[v]) x ^= sg(v);
    }
    puts(x ? "win" : "lose");
    return 0;
}
