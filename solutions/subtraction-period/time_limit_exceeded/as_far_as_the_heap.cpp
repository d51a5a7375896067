// Too slow: computes the values up to the heap's, in a ring.
#include <algorithm>
#include <cstdio>
#include <vector>

int main() {
    int k;
    long long h;
    scanf("%d", &k);
    std::vector<int> moves(k);
    for (auto &s : moves) scanf("%d", &s);
    scanf("%lld", &h);
    std::vector<int> g(1 << 17);
    size_t longest = *std::max_element(moves.begin(), moves.end());
    long long q = -1, p = 0, n = 0;
    for (;; n++) {
        unsigned reached = 0;
        for (int s : moves)
            if (s <= n) reached |= 1u << g[(n - s) & 0x1FFFF];
        g[n & 0x1FFFF] = __builtin_ctz(~reached);
        if (n == h) break;
    }
    for (p = 1; p < 100000 && q < 0; p++)
        if (std::equal(g.begin() + 20000 - longest, g.begin() + 20000, g.begin() + 20000 + p - longest)) q = 0;
    printf("%lld %lld %d\n", q, p - 1, g[h & 0x1FFFF]);
}
