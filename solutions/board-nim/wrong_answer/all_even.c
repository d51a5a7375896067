// Mistake: the second player wins only if all sides are even.
#include <stdio.h>

int main(void) {
    int d;
    long long k, odd = 0;
    scanf("%d", &d);
    while (d--) {
        scanf("%lld", &k);
        odd |= k % 2;
    }
    puts(odd ? "Yes" : "No");
}
