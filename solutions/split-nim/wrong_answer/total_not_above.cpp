// Mistake: assumes that the two new heaps may not hold more stones together than the old one.
#include <cstdio>
#include <cstring>

int main() {
    int g[101] = {0};
    for (int a = 1; a <= 100; a++) {
        bool seen[512];
        memset(seen, 0, sizeof seen);
        for (int b = 0; b < a; b++)
            for (int c = 0; c < a && b + c <= a; c++) seen[g[b] ^ g[c]] = true;
        while (seen[g[a]]) g[a]++;
    }
    int n, v, x = 0;
    scanf("%d", &n);
    while (n--) {
        scanf("%d", &v);
        x ^= g[v];
    }
    puts(x ? "Yes" : "No");
}
