// Counts digit by digit, then tries every heap.
#include <stdbool.h>
#include <stdio.h>

long long a[1000000];

int main(void) {
    int n, count[63] = {0};
    scanf("%d", &n);
    for (int i = 0; i < n; i++) {
        scanf("%lld", &a[i]);
        for (int b = 0; b < 63; b++) count[b] += a[i] >> b & 1;
    }
    bool lost = true;
    for (int b = 0; b < 63; b++) lost &= count[b] % 3 == 0;
    if (lost) {
        puts("C");
        return 0;
    }
    for (int i = 0; i < n; i++) {
        long long y = 0;
        bool possible = true;
        for (int b = 0; b < 63 && possible; b++) {
            int rest = (count[b] - (a[i] >> b & 1)) % 3;
            if (rest == 1) possible = false;
            if (rest == 2) y |= 1LL << b;
        }
        if (possible && y < a[i]) {
            puts("A");
            return 0;
        }
    }
    puts("B");
    return 0;
}
