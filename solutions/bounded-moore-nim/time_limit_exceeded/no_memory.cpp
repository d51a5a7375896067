// Too slow: searches the game tree, without storing the positions already solved.
#include <cstdio>

int n, k, r, a[4];

bool wins();

bool reduces(int i, int left, bool moved) {
    if (i == n || left == 0) return moved && !wins();
    if (reduces(i + 1, left, moved)) return true;
    for (int t = 1; t <= r && t <= a[i]; t++) {
        a[i] -= t;
        bool won = reduces(i + 1, left - 1, true);
        a[i] += t;
        if (won) return true;
    }
    return false;
}

bool wins() { return reduces(0, k, false); }

int main() {
    scanf("%d%d%d", &n, &k, &r);
    for (int i = 0; i < n; i++) scanf("%d", a + i);
    puts(wins() ? "Yes" : "No");
}
