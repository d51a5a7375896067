// Mistake: forgets that the heap A changes has to become smaller.
#include <cstdio>
#include <vector>

typedef unsigned long long u64;

int main() {
    int n;
    scanf("%d", &n);
    std::vector<u64> a(n);
    u64 ones = 0, twos = 0;
    for (u64 &v : a) {
        scanf("%llu", &v);
        ones = (ones ^ v) & ~twos;
        twos = (twos ^ v) & ~ones;
    }
    char winner = 'B';
    if (!ones && !twos) winner = 'C';
    else
        for (u64 v : a)
            if ((v & ones) == ones && !(v & twos)) winner = 'A';
    printf("%c\n", winner);
}
