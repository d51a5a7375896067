// Sorts the heaps and adds them one by one, keeping whether the position so far is won.
#include <algorithm>
#include <cstdio>
#include <vector>

int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    std::vector<long long> a(n);
    for (auto &v : a)
        if (scanf("%lld", &v) != 1) return 1;
    std::sort(a.begin(), a.end());
    bool won = false;
    for (int i = 0; i < n; i++) {
        if (a[i] == 0) continue;
        // A new largest heap may vanish (then the rest must be lost) or become one of the next size (then
        // it must be the rest with that heap doubled, lost exactly if the rest is won); one of the two always works.
        bool same = i > 0 && a[i] == a[i - 1];
        won = same ? !won : true;
    }
    puts(won ? "Yes" : "No");
}
