// Memoised recursion with adjacency lists in arrays and a set for the mex, as usually taught.
#include <cstring>
#include <iostream>
#include <unordered_set>
using namespace std;

const int N = 2010, M = 6010;
int n, m, k;
int h[N], e[M], ne[M], idx;
int f[N];

void add(int a, int b) {
    e[idx] = b, ne[idx] = h[a], h[a] = idx++;
}

int sg(int u) {
    if (f[u] != -1) return f[u];
    unordered_set<int> s;
    for (int i = h[u]; ~i; i = ne[i]) s.insert(sg(e[i]));
    for (int i = 0;; i++)
        if (!s.count(i)) return f[u] = i;
}

int main() {
    cin >> n >> m >> k;
    memset(h, -1, sizeof h);
    memset(f, -1, sizeof f);
    while (m--) {
        int a, b;
        cin >> a >> b;
        add(a, b);
    }
    int res = 0;
    while (k--) {
        int u;
        cin >> u;
        res ^= sg(u);
    }
    puts(res ? "win" : "lose");
}
