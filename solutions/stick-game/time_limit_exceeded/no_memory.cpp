// Too slow: the recursion stores no results.
#include <cstdio>
#include <vector>

std::vector<int> p;

bool wins(int sticks) {
    for (int v : p)
        if (v <= sticks && !wins(sticks - v)) return true;
    return false;
}

int main() {
    int n, k;
    scanf("%d%d", &n, &k);
    p.resize(k);
    for (int &v : p) scanf("%d", &v);
    for (int i = 1; i <= n; i++) putchar(wins(i) ? 'W' : 'L');
    puts("");
}
