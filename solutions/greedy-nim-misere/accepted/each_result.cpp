// Tries the results of a move where there are few, and multiplies where they are equivalent.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

static bool lost(long long size, long long count) {
    if (size == 0) return false;
    return size == 1 ? count % 2 == 1 : count % 2 == 0;
}

int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    std::vector<long long> a(n);
    for (auto &v : a)
        if (scanf("%lld", &v) != 1) return 1;
    std::sort(a.begin(), a.end(), std::greater<>());
    while (!a.empty() && a.back() == 0) a.pop_back();
    if (a.empty()) return puts("Yes 0"), 0;
    long long count = std::count(a.begin(), a.end(), a[0]), moves = 0;
    if (count > 1) {
        if (lost(a[0], count - 1)) moves = a[0] * count;
    } else {
        long long second = a.size() > 1 ? a[1] : 0;
        long long equal = second ? std::count(a.begin(), a.end(), second) : 0;
        // All sizes below the second size are equivalent, and so are all sizes above both 1 and the second size.
        if (second && lost(second, equal)) moves += second;
        if (second && lost(second, equal + 1)) moves++;
        if (second < 1 && a[0] > 1 && lost(1, 1)) moves++;
        if (a[0] > second + 1 && lost(second + 2, 1)) moves += a[0] - second - 1;
    }
    printf("%s %lld\n", lost(a[0], count) ? "No" : "Yes", moves);
}
