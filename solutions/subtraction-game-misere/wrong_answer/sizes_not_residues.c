// Mistake: inverts the rule if all heaps are at most 1, not if all residues are.
#include <stdio.h>

static long long heaps[200000];

int main(void) {
    int n, big = 0;
    long long r, x = 0;
    scanf("%d %lld", &n, &r);
    long long m = r + 1;
    for (int i = 0; i < n; i++) {
        scanf("%lld", &heaps[i]);
        x ^= heaps[i] % m;
        big += heaps[i] > 1;
    }
    for (int i = 0; i < n; i++) {
        long long residue = heaps[i] % m, target = x ^ residue;
        if (big - (heaps[i] > 1) == 0) target ^= 1;
        if (target > r) continue;
        long long taken = (residue - target + m) % m;
        if (1 <= taken && taken <= heaps[i]) return printf("%d %lld\n", i + 1, taken), 0;
    }
    puts("0 0");
}
