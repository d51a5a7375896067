// Mistake: takes one repetition for a proof: a stretch of values that is followed by the same stretch, however short.
#include <cstdio>
#include <vector>

int main() {
    int k;
    long long h;
    scanf("%d", &k);
    std::vector<int> moves(k), g;
    for (auto &s : moves) scanf("%d", &s);
    scanf("%lld", &h);
    for (int n = 0; n < 2000; n++) {
        unsigned reached = 0;
        for (int s : moves)
            if (s <= n) reached |= 1u << g[n - s];
        g.push_back(__builtin_ctz(~reached));
    }
    for (int q = 0; q < 1000; q++)
        for (int p = 2; q + 2 * p < 2000; p++) {
            bool same = true;
            for (int i = 0; same && i < p; i++) same = g[q + i] == g[q + p + i];
            if (same) {
                long long place = h < q ? h : q + (h - q) % p;
                return printf("%d %d %d\n", q, p, g[place]), 0;
            }
        }
    puts("0 1 0");
}
