// Mistake: forgets the bound.
#include <stdio.h>

int main(void) {
    int n, k, r, v, digits[4] = {0}, won = 0;
    scanf("%d %d %d", &n, &k, &r);
    while (n--) {
        scanf("%d", &v);
        for (int b = 0; b < 4; b++) digits[b] += v >> b & 1;
    }
    for (int b = 0; b < 4; b++) won |= digits[b] % (k + 1) != 0;
    puts(won ? "Yes" : "No");
}
