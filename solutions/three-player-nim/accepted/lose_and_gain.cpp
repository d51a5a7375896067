// The digits to lose are those counted once modulo three, the digits to gain those counted twice; no newline at the end.
#include <cstdio>
#include <vector>

typedef unsigned long long u64;

int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    std::vector<u64> a(n);
    int count[63] = {0};
    for (u64 &v : a) {
        if (scanf("%llu", &v) != 1) return 1;
        for (u64 w = v; w; w &= w - 1) {
            int b = __builtin_ctzll(w);
            if (++count[b] == 3) count[b] = 0;
        }
    }
    u64 lose = 0, gain = 0;
    for (int b = 0; b < 63; b++) {
        if (count[b] == 1) lose |= 1ULL << b;
        if (count[b] == 2) gain |= 1ULL << b;
    }
    char winner = 'B';
    if (!lose && !gain) winner = 'C';
    else if (gain < lose)
        for (u64 v : a)
            if ((v & lose) == lose && (v & gain) == 0) winner = 'A';
    putchar(winner);
}
