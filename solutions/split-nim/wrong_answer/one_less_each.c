// Mistake: plays Nim on the sizes less one, which is half of the rule: an odd number of heaps is always won.
#include <stdio.h>

int main(void) {
    int n, x = 0;
    scanf("%d", &n);
    while (n--) {
        int a;
        scanf("%d", &a);
        x ^= a - 1;
    }
    puts(x ? "Yes" : "No");
    return 0;
}
