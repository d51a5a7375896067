// Mistake: plays the Grundy values as misère Nim.
#include <stdio.h>

static int g[51], seen[32];

int main(void) {
    int count, a, x = 0, highest = 0;
    for (int n = 1; n <= 50; n++) {
        for (int p = 1; p < (n + 1) / 2; p++) seen[g[p] ^ g[n - p]] = n;
        while (seen[g[n]] == n) g[n]++;
    }
    scanf("%d", &count);
    while (count--) {
        scanf("%d", &a);
        x ^= g[a];
        if (g[a] > highest) highest = g[a];
    }
    if (highest > 1)
        puts(x ? "Yes" : "No");
    else
        puts(x ? "No" : "Yes");
}
