// Crashes: marks nim-sums in a table of 101 entries, but two values below 200 have nim-sums up to 255.
#include <cstdio>
#include <vector>

int memo[101];

int sg(int a) {
    if (memo[a] >= 0) return memo[a];
    std::vector<bool> seen(101);
    for (int b = 0; b < a; b++)
        for (int c = 0; c <= b; c++) seen.at(sg(b) ^ sg(c)) = true;
    int g = 0;
    while (seen.at(g)) g++;
    return memo[a] = g;
}

int main() {
    int n, v, x = 0;
    scanf("%d", &n);
    for (int &m : memo) m = -1;
    while (n--) {
        scanf("%d", &v);
        x ^= sg(v);
    }
    puts(x ? "Yes" : "No");
}
