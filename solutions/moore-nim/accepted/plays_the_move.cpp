// Constructs Moore's winning move and checks whether it changes anything. From the highest digit down, heaps once opened
// take the digits that are needed; if they are too few, more heaps are opened by clearing the digit.
#include <cstdio>
#include <vector>

int main() {
    int n, k;
    if (scanf("%d%d", &n, &k) != 2) return 1;
    std::vector<unsigned long long> a(n);
    for (auto &v : a)
        if (scanf("%llu", &v) != 1) return 1;
    std::vector<char> open(n);
    int opened = 0;
    for (int b = 59; b >= 0; b--) {
        int count = 0;
        for (int i = 0; i < n; i++)
            if (!open[i]) count += a[i] >> b & 1;
        int over = count % (k + 1);
        if ((k + 1 - over) % (k + 1) <= opened) continue;
        for (int i = 0; i < n && over > 0; i++)
            if (!open[i] && (a[i] >> b & 1)) {
                open[i] = 1;
                opened++;
                over--;
            }
    }
    puts(opened > 0 ? "Yes" : "No");
}
