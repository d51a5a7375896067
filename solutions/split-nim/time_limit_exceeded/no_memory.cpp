// Too slow: recomputes the values of smaller heaps for every pair, in factorial time.
#include <cstdio>
#include <set>

int sg(int a) {
    std::set<int> seen;
    for (int b = 0; b < a; b++)
        for (int c = 0; c <= b; c++) seen.insert(sg(b) ^ sg(c));
    int g = 0;
    while (seen.count(g)) g++;
    return g;
}

int main() {
    int n, v, x = 0;
    scanf("%d", &n);
    while (n--) {
        scanf("%d", &v);
        x ^= sg(v);
    }
    puts(x ? "Yes" : "No");
}
