// Mistake: reads "each heap" as each heap that is not empty, so that two equal heaps beside an empty one can be taken at once.
#include <math.h>
#include <stdio.h>

// the whole part of the square root
static long long root(__int128 square) {
    long long s = sqrt((double)square);
    while ((__int128)s * s > square) s--;
    while ((__int128)(s + 1) * (s + 1) <= square) s++;
    return s;
}

int main(void) {
    int n, full = 0, lost;
    long long v, a[2], x = 0;
    scanf("%d", &n);
    while (n--) {
        scanf("%lld", &v);
        x ^= v;
        if (v == 0) continue;
        if (full < 2) a[full] = v;
        full++;
    }
    if (full == 2) {
        long long less = a[0] < a[1] ? a[0] : a[1], d = a[0] + a[1] - 2 * less;
        lost = less == (d + root((__int128)5 * d * d)) / 2;
    } else {
        lost = x == 0;
    }
    puts(lost ? "No" : "Yes");
}
