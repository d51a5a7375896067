// Mistake: the second player wins if the number of cells is even.
#include <stdio.h>

int main(void) {
    int d, even = 0;
    long long k;
    scanf("%d", &d);
    while (d--) {
        scanf("%lld", &k);
        even |= k % 2 == 0;
    }
    puts(even ? "No" : "Yes");
}
