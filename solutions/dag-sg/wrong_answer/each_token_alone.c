// Mistake: finds for each token whether it alone is won, and judges by the parity of the won ones.
// Two won tokens cancel only if their Grundy values are equal.
#include <stdbool.h>
#include <stdio.h>

// The edges that leave a vertex are in a list: first[u] and then next[e], from 1.
int first[2001], next[6001], to[6001];
bool known[2001], memo[2001];

bool won(int u) {
    if (!known[u]) {
        bool w = false;
        for (int e = first[u]; e; e = next[e])
            if (!won(to[e])) w = true;
        memo[u] = w;
        known[u] = true;
    }
    return memo[u];
}

int main(void) {
    int n, m, k;
    scanf("%d %d %d", &n, &m, &k);
    for (int e = 1; e <= m; e++) {
        int x;
        scanf("%d %d", &x, &to[e]);
        next[e] = first[x];
        first[x] = e;
    }
    bool odd = false;
    while (k--) {
        int t;
        scanf("%d", &t);
        odd ^= won(t);
    }
    puts(odd ? "win" : "lose");
    return 0;
}
