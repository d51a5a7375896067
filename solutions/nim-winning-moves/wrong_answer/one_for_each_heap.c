// Mistake: counts one winning move for every heap that is not empty, whenever the nim-sum is not zero.
#include <stdio.h>

int main(void) {
    int n, heaps = 0;
    long long a, x = 0;
    scanf("%d", &n);
    while (n--) {
        scanf("%lld", &a);
        heaps += a > 0;
        x ^= a;
    }
    printf("%d\n", x ? heaps : 0);
    return 0;
}
