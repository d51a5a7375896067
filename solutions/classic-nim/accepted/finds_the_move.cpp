// Searches for a winning move instead of using the theorem: some heap a must shrink to a ^ x.
// Reads a local file unless the judge says it is one; ends without a newline.
#include <cstdio>
#include <vector>

int main() {
#ifndef ONLINE_JUDGE
    freopen("in.txt", "r", stdin);
#endif
    int n;
    if (scanf("%d", &n) != 1) return 0;
    std::vector<int> a(n);
    int x = 0;
    for (int &v : a) {
        scanf("%d", &v);
        x ^= v;
    }
    bool win = false;
    for (int v : a)
        if ((v ^ x) < v) win = true;
    printf(win ? "Yes" : "No");
    return 0;
}
