// Too slow: makes the lost pairs one after another, storing only what is needed.
#include <cstdio>
#include <utility>

int main() {
    long long a, b;
    scanf("%lld%lld", &a, &b);
    if (a > b) std::swap(a, b);
    // The d-th pair's smaller heap grows by one or two, as the Fibonacci word has it; here by exact comparison.
    __int128 small = 0, d = 0;
    while (small < a) {
        d++;
        small += 1;
        __int128 next = 2 * (small + 1) - d;
        if (next * next <= 5 * d * d) small += 1;
    }
    puts(small == a && d == b - a ? "0" : "1");
}
