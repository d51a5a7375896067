// Mistake: the first player is taken to win with every move he has.
#include <stdio.h>

int main(void) {
    int n;
    long long a, top = 0, count = 0;
    scanf("%d", &n);
    while (n--) {
        scanf("%lld", &a);
        if (a > top) top = a, count = 0;
        count += a == top;
    }
    printf("Yes %lld\n", top * count);
}
