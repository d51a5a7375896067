// Mistake: takes a full circle for a row.
#include <stdio.h>
#include <string.h>

static int g[401], seen[2048];

int main(void) {
    int k, x = 0, run = 0;
    char s[401];
    scanf("%d %400s", &k, s);
    int n = strlen(s);
    for (int m = 1; m <= n; m++) {
        for (int t = 1; t <= k && t <= m; t++)
            for (int a = 0; a <= (m - t) / 2; a++) seen[g[a] ^ g[m - t - a]] = m;
        while (seen[g[m]] == m) g[m]++;
    }
    char *gap = strchr(s, '.');
    int start = gap ? gap - s : 0;
    for (int i = 0; i < n; i++) {
        if (s[(start + i) % n] == '#')
            run++;
        else
            x ^= g[run], run = 0;
    }
    x ^= g[run];
    puts(x ? "Yes" : "No");
}
