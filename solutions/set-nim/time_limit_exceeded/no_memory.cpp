// Too slow: the recursion stores no results.
#include <cstdio>
#include <set>

int k, n, s[100];

int sg(int h) {
    std::set<int> seen;
    for (int i = 0; i < k; i++)
        if (s[i] <= h) seen.insert(sg(h - s[i]));
    int g = 0;
    while (seen.count(g)) g++;
    return g;
}

int main() {
    scanf("%d", &k);
    for (int i = 0; i < k; i++) scanf("%d", &s[i]);
    scanf("%d", &n);
    int x = 0, h;
    while (n--) {
        scanf("%d", &h);
        x ^= sg(h);
    }
    puts(x ? "Yes" : "No");
}
