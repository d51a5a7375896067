// Mistake: wants to say L itself.
#include <stdio.h>

int main(void) {
    long long l, k, x;
    scanf("%lld %lld %lld", &l, &k, &x);
    printf("%lld\n", (l - x) % (k + 1));
}
