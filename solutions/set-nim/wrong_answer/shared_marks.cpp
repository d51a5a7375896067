// Mistake: one table of marks for all levels of the recursion; deeper levels leave theirs in it.
#include <cstdio>
#include <cstring>

int k, n, s[100], memo[10001];
bool seen[10001];

int sg(int h) {
    if (memo[h] >= 0) return memo[h];
    memset(seen, 0, sizeof seen);
    for (int i = 0; i < k; i++)
        if (s[i] <= h) seen[sg(h - s[i])] = true;
    int g = 0;
    while (seen[g]) g++;
    return memo[h] = g;
}

int main() {
    scanf("%d", &k);
    for (int i = 0; i < k; i++) scanf("%d", &s[i]);
    memset(memo, -1, sizeof memo);
    scanf("%d", &n);
    int x = 0, h;
    while (n--) {
        scanf("%d", &h);
        x ^= sg(h);
    }
    puts(x ? "Yes" : "No");
}
