/* Mistake: the players pair the heaps off, so an odd number of heaps is thought to be won and an even number lost. */
#include <stdio.h>

int main(void) {
    int n, a, heaps = 0;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) {
        scanf("%d", &a);
        heaps += a > 0;
    }
    puts(heaps % 2 ? "Yes" : "No");
    return 0;
}
