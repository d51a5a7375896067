// Mistake: leaves an odd number of ones at the end, as in misère play.
#include <stdio.h>

static long long a[100000];

int main(void) {
    int n, ones = 0, big = 0, i = 0;
    long long x = 0;
    scanf("%d", &n);
    for (int j = 0; j < n; j++) {
        scanf("%lld", &a[j]);
        x ^= a[j];
        ones += a[j] == 1;
        big += a[j] > 1;
    }
    if (big == 0 && ones && ones % 2 == 0) {
        while (a[i] != 1) i++;
        printf("%d 1\n", i + 1);
    } else if (big == 0 || x == 0) {
        puts("0 0");
    } else {
        while ((a[i] ^ x) >= a[i]) i++;
        printf("%d %lld\n", i + 1, a[i] - (a[i] ^ x));
    }
}
