// Mistake: doesn't see that no heap has a residue above r, though the xor of two residues may be.
#include <stdio.h>

long long a[200000];

int main(void) {
    int n, count = 0;
    long long r, x = 0;
    scanf("%d %lld", &n, &r);
    long long m = r + 1;
    for (int i = 0; i < n; i++) {
        scanf("%lld", &a[i]);
        x ^= a[i] % m;
    }
    for (int i = 0; i < n; i++) {
        long long target = a[i] % m ^ x;
        if (target < a[i] % m || (target > a[i] % m && a[i] >= m)) count++;
    }
    printf("%d\n", count);
    return 0;
}
