// Too slow: values by their definition.
#include <algorithm>
#include <cstdio>
#include <vector>

int main() {
    int n;
    scanf("%d", &n);
    std::vector<long long> a(n);
    for (auto &v : a) scanf("%lld", &v);
    long long to = std::min(*std::max_element(a.begin(), a.end()), 200000LL);
    std::vector<int> g(to + 1);
    std::vector<char> seen(4 * to + 64);
    for (long long s = 1; s <= to; s++) {
        for (long long b = 0; b < s; b++) seen[g[b] ^ g[s - 1]] = 1;
        while (seen[g[s]]) g[s]++;
    }
    long long x = 0;
    for (auto v : a) x ^= g[std::min(v, to)];
    puts(x ? "Yes" : "No");
}
