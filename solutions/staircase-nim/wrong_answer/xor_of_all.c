// Mistake: plain Nim on all the steps.
#include <stdio.h>

int main(void) {
    int n, a, x = 0;
    scanf("%d", &n);
    while (n--) {
        scanf("%d", &a);
        x ^= a;
    }
    puts(x ? "Yes" : "No");
    return 0;
}
