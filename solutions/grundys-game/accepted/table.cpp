// A table of Grundy values to 2000; larger heaps are won.
#include <cstdio>
#include <vector>

int main() {
    const int to = 2000;
    std::vector<int> g(to + 1);
    for (int n = 3; n <= to; n++) {
        std::vector<char> seen(512);
        for (int part = 1; 2 * part < n; part++) seen[g[part] ^ g[n - part]] = 1;
        while (seen[g[n]]) g[n]++;
    }
    int t, n;
    scanf("%d", &t);
    while (t--) {
        scanf("%d", &n);
        puts(n > to || g[n] ? "first" : "second");
    }
}
