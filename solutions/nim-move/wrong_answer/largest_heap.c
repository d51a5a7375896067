// Mistake: always takes from the largest heap; the amount may come out negative.
#include <stdio.h>

int main(void) {
    int n, heap = 1;
    long long a, x = 0, largest = 0;
    scanf("%d", &n);
    for (int i = 1; i <= n; i++) {
        scanf("%lld", &a);
        x ^= a;
        if (a > largest) largest = a, heap = i;
    }
    if (x == 0)
        puts("0 0");
    else
        printf("%d %lld\n", heap, largest - (largest ^ x));
}
