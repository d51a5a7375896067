// Mistake: computes residues in floating point, which is not exact above 2^53.
#include <math.h>
#include <stdio.h>

double heaps[200000];
long long residues[200000];

int main(void) {
    int n, count = 0;
    double r;
    long long x = 0;
    scanf("%d %lf", &n, &r);
    for (int i = 0; i < n; i++) {
        scanf("%lf", &heaps[i]);
        residues[i] = fmod(heaps[i], r + 1);
        x ^= residues[i];
    }
    for (int i = 0; i < n; i++) {
        long long v = residues[i], target = v ^ x;
        if (target < v || (target > v && target <= (long long)r && heaps[i] > r)) count++;
    }
    printf("%d\n", count);
    return 0;
}
