// Mistake: judges by the parity of all the moves there would be if stones went one at a time.
#include <stdio.h>

int main(void) {
    int n, parity = 0;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) {
        long long a;
        scanf("%lld", &a);
        parity ^= (i + 1) * a & 1;
    }
    puts(parity ? "Yes" : "No");
    return 0;
}
