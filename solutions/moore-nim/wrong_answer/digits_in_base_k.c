// Mistake: writes the sizes in base k + 1 and adds the digits without carries. The sizes must be written in base two.
#include <stdio.h>

int main(void) {
    int n, k, lost = 1;
    long long sums[64] = {0};
    scanf("%d %d", &n, &k);
    while (n--) {
        long long a;
        scanf("%lld", &a);
        for (int at = 0; a; at++) {
            sums[at] += a % (k + 1);
            a /= k + 1;
        }
    }
    for (int at = 0; at < 64; at++) {
        if (sums[at] % (k + 1)) lost = 0;
    }
    puts(lost ? "No" : "Yes");
    return 0;
}
