// Mistake: counts from zero, so it takes the steps 2, 4, 6, ... instead of 1, 3, 5, ...
#include <stdio.h>

int main(void) {
    int n, a, x = 0;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) {
        scanf("%d", &a);
        if (i % 2 == 1) x ^= a;
    }
    puts(x ? "Yes" : "No");
    return 0;
}
