/* Mistake: the parity of the number of all heaps that are not empty. */
#include <stdio.h>

int main(void) {
    int n, count = 0;
    scanf("%d", &n);
    while (n--) {
        long long a;
        scanf("%lld", &a);
        count += a > 0;
    }
    puts(count % 2 ? "Yes" : "No");
    return 0;
}
