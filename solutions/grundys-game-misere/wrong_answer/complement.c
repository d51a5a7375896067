// Mistake: prints the opposite of the winner of normal play.
#include <stdio.h>

static int g[51], seen[32];

int main(void) {
    int count, a, x = 0;
    for (int n = 1; n <= 50; n++) {
        for (int p = 1; p < (n + 1) / 2; p++) seen[g[p] ^ g[n - p]] = n;
        while (seen[g[n]] == n) g[n]++;
    }
    scanf("%d", &count);
    while (count--) {
        scanf("%d", &a);
        x ^= g[a];
    }
    puts(x ? "No" : "Yes");
}
