// The reference solution: the nim-sum of the remainders modulo k + 1 decides.

#include <stdio.h>

int main(void) {
    int n, k, nim_sum = 0;
    scanf("%d %d", &n, &k);
    for (int i = 0; i < n; i++) {
        int a;
        scanf("%d", &a);
        nim_sum ^= a % (k + 1);
    }
    printf("%s\n", nim_sum == 0 ? "Second" : "First");
}
