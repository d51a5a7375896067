// Mistake: a floating-point golden ratio, which is too coarse for large heaps.
#include <math.h>
#include <stdio.h>

int main(void) {
    int n, lost;
    long long a, b, x = 0;
    scanf("%d", &n);
    if (n == 2) {
        scanf("%lld %lld", &a, &b);
        long long less = a < b ? a : b, d = a < b ? b - a : a - b;
        lost = less == (long long)(d * (1 + sqrt(5)) / 2);
    } else {
        while (n--) {
            scanf("%lld", &a);
            x ^= a;
        }
        lost = x == 0;
    }
    puts(lost ? "No" : "Yes");
}
