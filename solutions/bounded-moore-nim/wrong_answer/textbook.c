// Mistake: the rule of the textbooks, Moore's on sizes modulo r + 1.
#include <stdio.h>

int main(void) {
    int n, k, r, v, digits[3] = {0}, won = 0;
    scanf("%d %d %d", &n, &k, &r);
    while (n--) {
        scanf("%d", &v);
        for (int b = 0; b < 3; b++) digits[b] += v % (r + 1) >> b & 1;
    }
    for (int b = 0; b < 3; b++) won |= digits[b] % (k + 1) != 0;
    puts(won ? "Yes" : "No");
}
