// Mistake: assumes that the first player always wins, with one stone of the first heap that has any.
#include <stdio.h>

int main(void) {
    int n;
    long long r, a;
    scanf("%d %lld", &n, &r);
    for (int i = 1; i <= n; i++) {
        scanf("%lld", &a);
        if (a > 0) return printf("%d 1\n", i), 0;
    }
    puts("0 0");
}
