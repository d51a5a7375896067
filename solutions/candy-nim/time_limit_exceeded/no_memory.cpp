// Too slow: searches the game tree, without storing the positions already solved.
#include <algorithm>
#include <cstdio>

int a[3];

int mine() {
    int x = a[0] ^ a[1] ^ a[2], all = a[0] + a[1] + a[2], best = 0;
    for (int &h : a)
        for (int keep = h, left = 0; left < keep; left++) {
            if (x && (x ^ keep) != left) continue;
            h = left;
            best = std::max(best, all - mine());
            h = keep;
        }
    return best;
}

int main() {
    int n;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) scanf("%d", a + i);
    printf("%s %d\n", a[0] ^ a[1] ^ a[2] ? "Yes" : "No", mine());
}
