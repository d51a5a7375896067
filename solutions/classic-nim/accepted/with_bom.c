/* Plain xor in C. The file begins with a byte order mark, as some editors leave one. */
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
