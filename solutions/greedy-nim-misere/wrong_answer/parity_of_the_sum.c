// Mistake: parity of the number of stones.
#include <stdio.h>

int main(void) {
    int n;
    long long a, sum = 0, top = 0, count = 0;
    scanf("%d", &n);
    while (n--) {
        scanf("%lld", &a);
        sum += a;
        if (a > top) top = a, count = 0;
        count += a == top;
    }
    if (sum % 2)
        puts("No 0");
    else
        printf("Yes %lld\n", top * count);
}
