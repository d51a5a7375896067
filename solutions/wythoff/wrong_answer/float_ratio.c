// Mistake: three decimals of the golden ratio.
#include <stdio.h>

int main(void) {
    long long a, b;
    scanf("%lld %lld", &a, &b);
    if (a > b) {
        long long t = a;
        a = b;
        b = t;
    }
    puts(a == (__int128)(b - a) * 1618 / 1000 ? "0" : "1");
    return 0;
}
