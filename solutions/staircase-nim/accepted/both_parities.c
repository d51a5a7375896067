// Computes one nim-sum for the odd steps and one for the even steps, and uses the first.
#include <stdio.h>

int main(void) {
    int n, by_parity[2] = {0};
    scanf("%d", &n);
    for (int i = 1; i <= n; i++) {
        int a;
        scanf("%d", &a);
        by_parity[i % 2] ^= a;
    }
    puts(by_parity[1] != 0 ? "Yes" : "No");
    return 0;
}
