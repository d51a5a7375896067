// Too slow: tries every new size of every largest heap.
#include <algorithm>
#include <cstdio>
#include <vector>

static std::vector<long long> a;

static bool lost() {
    long long top = 0, count = 0;
    for (long long v : a) {
        if (v > top) top = v, count = 0;
        count += v == top;
    }
    if (top == 0) return false;
    return top == 1 ? count % 2 == 1 : count % 2 == 0;
}

int main() {
    int n;
    scanf("%d", &n);
    a.resize(n);
    for (auto &v : a) scanf("%lld", &v);
    bool no = lost();
    long long top = *std::max_element(a.begin(), a.end()), moves = 0;
    for (auto &v : a) {
        if (v != top) continue;
        for (v = 0; v < top; v++) moves += lost();
    }
    printf("%s %lld\n", no ? "No" : "Yes", moves);
}
