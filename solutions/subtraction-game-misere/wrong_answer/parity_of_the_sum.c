// Mistake: parity of all stones, as if every move took one.
#include <stdio.h>

int main(void) {
    int n, first = 0, odd = 0;
    long long r, a;
    scanf("%d %lld", &n, &r);
    for (int i = 1; i <= n; i++) {
        scanf("%lld", &a);
        odd ^= a % 2;
        if (a > 0 && first == 0) first = i;
    }
    if (odd || first == 0)
        puts("0 0");
    else
        printf("%d 1\n", first);
}
