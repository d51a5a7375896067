// Mistake: takes the sides for heaps of Nim.
#include <stdio.h>

int main(void) {
    int d;
    long long k, x = 0;
    scanf("%d", &d);
    while (d--) {
        scanf("%lld", &k);
        x ^= k;
    }
    puts(x ? "Yes" : "No");
}
