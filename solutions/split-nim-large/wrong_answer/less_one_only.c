// Mistake: forgets that an odd number of heaps is won.
#include <stdio.h>

int main(void) {
    int n;
    long long a, x = 0;
    scanf("%d", &n);
    while (n--) {
        scanf("%lld", &a);
        if (a) x ^= a - 1;
    }
    puts(x ? "Yes" : "No");
}
