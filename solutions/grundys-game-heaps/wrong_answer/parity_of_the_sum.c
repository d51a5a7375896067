// Mistake: parity of all coins, as if every game lasted as long as it can.
#include <stdio.h>

int main(void) {
    int n, size, sum = 0, first = 0;
    scanf("%d", &n);
    for (int i = 1; i <= n; i++) {
        scanf("%d", &size);
        sum += size;
        if (size > 2 && first == 0) first = i;
    }
    if (sum % 2 == 0 || first == 0) {
        puts("0 0");
    } else {
        printf("%d 1\n", first);
    }
    return 0;
}
