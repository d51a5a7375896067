// Goes round the circle once, from behind a gap.
#include <cstdio>
#include <cstring>

int g[402];
char s[402];

int main() {
    int k;
    scanf("%d%401s", &k, s);
    int n = strlen(s);
    for (int m = 1; m <= n; m++) {
        bool seen[1024] = {};
        for (int t = 1; t <= k && t <= m; t++)
            for (int a = 0; a <= m - t; a++) seen[g[a] ^ g[m - t - a]] = true;
        while (seen[g[m]]) g[m]++;
    }
    const char *gap = strchr(s, '.');
    if (!gap) {
        bool won = false;
        for (int t = 1; t <= k && t <= n; t++) won = won || g[n - t] == 0;
        puts(won ? "Yes" : "No");
        return 0;
    }
    int x = 0, run = 0;
    for (int i = 1; i <= n; i++)
        if (s[(gap - s + i) % n] == '#')
            run++;
        else {
            x ^= g[run];
            run = 0;
        }
    puts(x ? "Yes" : "No");
}
