// Mistake: counts empty heaps, too.
#include <stdio.h>

int main(void) {
    int n;
    long long a, x = 0;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) {
        scanf("%lld", &a);
        if (a) x ^= a - 1;
    }
    puts(x == 0 && n % 2 == 0 ? "No" : "Yes");
}
