// Mistake: handles only one exception, heaps that are all divisible by r + 1, and plays all others as in normal play.
#include <stdio.h>

static long long heaps[200000];

int main(void) {
    int n, zeros = 0;
    long long r, x = 0;
    scanf("%d %lld", &n, &r);
    long long m = r + 1;
    for (int i = 0; i < n; i++) {
        scanf("%lld", &heaps[i]);
        x ^= heaps[i] % m;
        zeros += heaps[i] % m == 0;
    }
    for (int i = 0; i < n; i++) {
        long long residue = heaps[i] % m;
        if (zeros == n && heaps[i] > 0) return printf("%d %lld\n", i + 1, r), 0;
        if ((residue ^ x) < residue) return printf("%d %lld\n", i + 1, residue - (residue ^ x)), 0;
    }
    puts("0 0");
}
