// Too slow: values of all heaps to a million by their definition.
#include <cstdio>
#include <vector>

int main() {
    const int to = 1000000;
    std::vector<int> g(to + 1);
    std::vector<int> seen(4096);
    for (int n = 3; n <= to; n++) {
        for (int part = 1; 2 * part < n; part++) seen[g[part] ^ g[n - part]] = n;
        while (seen[g[n]] == n) g[n]++;
    }
    int t, n;
    scanf("%d", &t);
    while (t--) {
        scanf("%d", &n);
        puts(g[n] ? "first" : "second");
    }
}
