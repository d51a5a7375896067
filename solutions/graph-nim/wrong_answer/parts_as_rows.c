// Mistake: takes each part for a path.
#include <stdio.h>

static int n, near[15], reached[15], kayles[16], seen[32];

// how many vertices are reached from v that were not reached before
static int part(int v) {
    int size = 1;
    reached[v] = 1;
    for (int w = 0; w < n; w++)
        if (near[v] >> w & 1 && !reached[w]) size += part(w);
    return size;
}

int main(void) {
    int m, u, v, x = 0;
    scanf("%d %d", &n, &m);
    while (m--) {
        scanf("%d %d", &u, &v);
        near[u - 1] |= 1 << (v - 1);
        near[v - 1] |= 1 << (u - 1);
    }
    for (int k = 1; k <= n; k++) {
        for (int t = 1; t <= 2 && t <= k; t++)
            for (int a = 0; a <= k - t; a++) seen[kayles[a] ^ kayles[k - t - a]] = k;
        while (seen[kayles[k]] == k) kayles[k]++;
    }
    for (int w = 0; w < n; w++)
        if (!reached[w]) x ^= kayles[part(w)];
    printf("%d\n", x);
}
