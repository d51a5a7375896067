// Mistake: the rule for two players; places beyond them are never given.
#include <stdio.h>

int main(void) {
    long long t, k, p, x;
    scanf("%lld %lld %lld %lld", &t, &k, &p, &x);
    printf("%lld\n", (t - x) % (k + 1) ? 1 : p);
}
