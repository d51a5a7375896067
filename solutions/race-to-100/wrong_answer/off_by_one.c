// Mistake: a place too good where what is left is a multiple of k.
#include <stdio.h>

int main(void) {
    long long t, k, p, x;
    scanf("%lld %lld %lld %lld", &t, &k, &p, &x);
    long long rest = (t - x) % ((p - 1) * k + 1), place = rest / k + 1;
    printf("%lld\n", rest == 0 || place > p ? p : place);
}
