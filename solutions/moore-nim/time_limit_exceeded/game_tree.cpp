// Too slow: searches the game tree, without storing the positions already solved.
#include <cstdio>
#include <vector>

int n, k;
std::vector<long long> a;

bool wins();

// Whether some way of reducing heaps from i on, `left` of them at most, leaves a lost position.
bool reduces(int i, int left, bool moved) {
    for (; i < n; i++) {
        if (left == 0 || a[i] == 0) continue;
        long long stones = a[i];
        for (a[i] = 0; a[i] < stones; a[i]++)
            if (reduces(i + 1, left - 1, true)) {
                a[i] = stones;
                return true;
            }
    }
    return moved && !wins();
}

bool wins() { return reduces(0, k, false); }

int main() {
    scanf("%d%d", &n, &k);
    a.resize(n);
    for (auto &v : a) scanf("%lld", &v);
    puts(wins() ? "Yes" : "No");
}
