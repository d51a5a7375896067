// Mistake: only the number of heaps matters.
#include <stdio.h>

int main(void) {
    int n, count = 0;
    long long a;
    scanf("%d", &n);
    while (n--) {
        scanf("%lld", &a);
        count += a > 0;
    }
    puts(count % 2 ? "Yes" : "No");
}
