// Mistake: numbers beyond 2^53 are rounded.
#include <stdio.h>

int main(void) {
    int n, count = 0;
    long long x = 0;
    scanf("%d", &n);
    while (n--) {
        double a;
        scanf("%lf", &a);
        if (a > 0) {
            x ^= (long long)a - 1;
            count++;
        }
    }
    puts(x == 0 && count % 2 == 0 ? "No" : "Yes");
    return 0;
}
