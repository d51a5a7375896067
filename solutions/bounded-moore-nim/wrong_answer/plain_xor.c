// Mistake: the nim-sum of sizes modulo r + 1, whatever k is.
#include <stdio.h>

int main(void) {
    int n, k, r, v, x = 0;
    scanf("%d %d %d", &n, &k, &r);
    while (n--) {
        scanf("%d", &v);
        x ^= v % (r + 1);
    }
    puts(x ? "Yes" : "No");
}
