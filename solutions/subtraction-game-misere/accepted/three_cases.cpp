// Distinguishes the cases: two or more residues above 1, one, none. Prefers moves that lower a residue.
#include <cstdio>
#include <vector>

int main() {
    int n;
    long long r, x = 0;
    if (scanf("%d%lld", &n, &r) != 2) return 1;
    std::vector<long long> a(n), g(n);
    int big = 0, where = -1;
    for (int i = 0; i < n; i++) {
        if (scanf("%lld", &a[i]) != 1) return 1;
        g[i] = a[i] % (r + 1);
        x ^= g[i];
        if (g[i] > 1) big++, where = i;
    }
    if (big == 1) {
        long long ones = 0;
        for (int i = 0; i < n; i++) ones += g[i] == 1;
        printf("%d %lld\n", where + 1, g[where] - (ones % 2 == 0));
        return 0;
    }
    if (big == 0) {
        // An even number of ones is won: a one becomes 0, or a heap of r + 1 and more loses r stones.
        for (int i = 0; x == 0 && i < n; i++)
            if (g[i] == 1) return printf("%d 1\n", i + 1), 0;
        for (int i = 0; x == 0 && i < n; i++)
            if (a[i] > r) return printf("%d %lld\n", i + 1, r), 0;
        puts("0 0");
        return 0;
    }
    for (int i = 0; x && i < n; i++)
        if ((g[i] ^ x) < g[i]) return printf("%d %lld\n", i + 1, g[i] - (g[i] ^ x)), 0;
    puts("0 0");
}
