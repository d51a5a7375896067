// Mistake: splits a heap into equal halves too.
#include <stdio.h>

static int g[1400], seen[1024];

int main(void) {
    int games, n;
    for (n = 2; n < 1400; n++) {
        for (int p = 1; p <= n / 2; p++) seen[g[p] ^ g[n - p]] = n;
        while (seen[g[n]] == n) g[n]++;
    }
    scanf("%d", &games);
    while (games--) {
        scanf("%d", &n);
        puts(n >= 1400 || g[n] ? "first" : "second");
    }
}
