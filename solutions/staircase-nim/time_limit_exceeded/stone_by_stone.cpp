// Too slow: for every step tries every number of stones it may be left with, up to 10^9 each.
#include <cstdio>
#include <vector>

int main() {
    int n;
    scanf("%d", &n);
    std::vector<int> a(n);
    int x = 0;
    for (int i = 0; i < n; i++) {
        scanf("%d", &a[i]);
        if (i % 2 == 0) x ^= a[i];
    }
    for (int i = 0; i < n; i += 2)
        for (int left = 0; left < a[i]; left++)
            if ((x ^ a[i]) == left) {
                puts("Yes");
                return 0;
            }
    puts("No");
}
