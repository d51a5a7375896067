// Mistake: believes that 932 is the last lost heap; there is one more.
#include <cstdio>

int g[1001];

int main() {
    for (int n = 3; n <= 1000; n++) {
        bool seen[512] = {};
        for (int part = 1; 2 * part < n; part++) seen[g[part] ^ g[n - part]] = true;
        while (seen[g[n]]) g[n]++;
    }
    int t, n;
    scanf("%d", &t);
    while (t--) {
        scanf("%d", &n);
        puts(n > 1000 || g[n] ? "first" : "second");
    }
}
