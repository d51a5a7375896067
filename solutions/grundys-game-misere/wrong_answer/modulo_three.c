// Mistake: calls single heaps lost if they are multiples of 3, which ends at 45, and adds heaps by parity.
#include <stdio.h>

int main(void) {
    int n, a, lost = 0;
    scanf("%d", &n);
    while (n--) {
        scanf("%d", &a);
        lost ^= a % 3 == 0;
    }
    puts(lost ? "No" : "Yes");
}
