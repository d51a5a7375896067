// The difference between the objects of the two players, by a memoised search.
#include <algorithm>
#include <cstdio>
#include <cstring>

int known[31][31][31];

int margin(int a, int b, int c) {
    int h[3] = {a, b, c};
    std::sort(h, h + 3);
    int &m = known[h[0]][h[1]][h[2]];
    if (m != 1000) return m;
    int x = a ^ b ^ c, best = -500;
    for (int i = 0; i < 3; i++)
        for (int left = 0; left < h[i]; left++) {
            if (x && (x ^ h[i]) != left) continue;
            int taken = h[i] - left, keep = h[i];
            h[i] = left;
            best = std::max(best, taken - margin(h[0], h[1], h[2]));
            h[i] = keep;
        }
    if (best == -500) best = 0;
    return known[h[0]][h[1]][h[2]] = best;
}

int main() {
    int n, a[3] = {0, 0, 0};
    scanf("%d", &n);
    for (int i = 0; i < n; i++) scanf("%d", a + i);
    std::fill(&known[0][0][0], &known[0][0][0] + 31 * 31 * 31, 1000);
    int m = margin(a[0], a[1], a[2]);
    printf("%s %d\n", a[0] ^ a[1] ^ a[2] ? "Yes" : "No", (a[0] + a[1] + a[2] + m) / 2);
}
