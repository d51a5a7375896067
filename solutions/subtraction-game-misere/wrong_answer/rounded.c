// Mistake: computes in floating point, which is not exact above 2^53.
#include <math.h>
#include <stdio.h>

double heaps[200000];
long long residues[200000];

int main(void) {
    int n, big = 0, heap = 0;
    double r;
    long long x = 0, amount = 0;
    scanf("%d %lf", &n, &r);
    for (int i = 0; i < n; i++) {
        scanf("%lf", &heaps[i]);
        residues[i] = fmod(heaps[i], r + 1);
        x ^= residues[i];
        big += residues[i] > 1;
    }
    for (int i = n - 1; i >= 0; i--) {
        long long g = residues[i], target = g ^ x;
        if (big - (g > 1) == 0) target ^= 1;
        long long taken = target <= g ? g - target : g + (long long)r + 1 - target;
        if (target <= (long long)r && taken > 0 && taken <= (long long)heaps[i]) {
            heap = i + 1;
            amount = taken;
        }
    }
    printf("%d %lld\n", heap, amount);
    return 0;
}
