// Lost if and only if the number of heaps is even and the sizes less one have nim-sum zero: the Grundy value of a
// is 2(a - 1), plus one if a - 1 has an even number of binary ones. If the xor of all a - 1 is zero, heaps with an odd
// number of ones come in an even number, so the last bits cancel exactly when the number of heaps is even.
#include <stdio.h>

int main(void) {
    int n, x = 0;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) {
        int a;
        scanf("%d", &a);
        x ^= a - 1;
    }
    puts(n % 2 == 1 || x != 0 ? "Yes" : "No");
    return 0;
}
