// Mistake: believes that in a lost position the candies are shared.
#include <stdio.h>

int main(void) {
    int n, a, x = 0, total = 0;
    scanf("%d", &n);
    while (n--) {
        scanf("%d", &a);
        x ^= a;
        total += a;
    }
    printf("%s %d\n", x ? "Yes" : "No", x == 0 ? total / 2 : total / 2 + x / 2);
}
