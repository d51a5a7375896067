// Bottom-up table; marks carry the size they belong to, so they need not be cleared.
#include <stdio.h>

int s[100], g[10001], mark[102];

int main(void) {
    int k, n, x = 0;
    scanf("%d", &k);
    for (int i = 0; i < k; i++) scanf("%d", &s[i]);
    for (int h = 1; h <= 10000; h++) {
        for (int i = 0; i < k; i++)
            if (s[i] <= h) mark[g[h - s[i]]] = h;
        while (mark[g[h]] == h) g[h]++;
    }
    scanf("%d", &n);
    while (n--) {
        int h;
        scanf("%d", &h);
        x ^= g[h];
    }
    puts(x != 0 ? "Yes" : "No");
    return 0;
}
