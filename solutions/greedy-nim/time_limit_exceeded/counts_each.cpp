// Too slow: counts for every heap how many are as large and how many larger.
#include <cstdio>
#include <vector>

int main() {
    int n;
    scanf("%d", &n);
    std::vector<long long> a(n);
    for (auto &v : a) scanf("%lld", &v);
    bool won = false;
    for (int i = 0; i < n; i++) {
        int same = 0, larger = 0;
        for (int j = 0; j < n; j++) {
            if (a[j] == a[i]) same++;
            if (a[j] > a[i]) larger++;
        }
        if (larger == 0 && a[i] > 0 && same % 2 == 1) won = true;
    }
    puts(won ? "Yes" : "No");
}
