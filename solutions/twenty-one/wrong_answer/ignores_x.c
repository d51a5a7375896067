// Mistake: answers for the first turn only.
#include <stdio.h>

int main(void) {
    long long l, k, x;
    scanf("%lld %lld %lld", &l, &k, &x);
    printf("%lld\n", (l - 1) % (k + 1));
}
