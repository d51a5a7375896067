// Mistake: uses only won and lost heaps, no other values.
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

int main() {
    int k;
    long long h;
    scanf("%d", &k);
    std::vector<int> moves(k);
    for (auto &s : moves) scanf("%d", &s);
    scanf("%lld", &h);
    size_t longest = *std::max_element(moves.begin(), moves.end());
    std::string g;
    std::map<std::string, long long> seen;
    for (;;) {
        bool won = false;
        for (int s : moves)
            if ((size_t)s <= g.size() && g[g.size() - s] == '0') won = true;
        g += won ? '1' : '0';
        if (g.size() < longest) continue;
        long long start = g.size() - longest;
        auto [there, fresh] = seen.insert({g.substr(start), start});
        if (!fresh) {
            long long q = there->second, p = start - q;
            return printf("%lld %lld %c\n", q, p, g[h < q ? h : q + (h - q) % p]), 0;
        }
    }
}
