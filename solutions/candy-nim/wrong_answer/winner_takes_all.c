// Mistake: the winner takes everything.
#include <stdio.h>

int main(void) {
    int n, a, x = 0, total = 0;
    scanf("%d", &n);
    while (n--) {
        scanf("%d", &a);
        x ^= a;
        total += a;
    }
    printf("%s %d\n", x ? "Yes" : "No", x ? total : 0);
}
