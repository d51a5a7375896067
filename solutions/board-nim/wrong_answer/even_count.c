// Mistake: the parity of the number of even sides.
#include <stdio.h>

int main(void) {
    int d, even = 0;
    long long k;
    scanf("%d", &d);
    while (d--) {
        scanf("%lld", &k);
        even += k % 2 == 0;
    }
    puts(even && even % 2 == 0 ? "No" : "Yes");
}
