// The reference solution.

#include <stdio.h>

int main(void) {
    int n;
    scanf("%d", &n);
    long long total = 0;
    for (int i = 0; i < n; i++) {
        int a;
        scanf("%d", &a);
        total += a;
    }
    printf("%lld\n", total);
}
