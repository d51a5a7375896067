// Mistake: the rule of Nim, whatever k is.
#include <stdio.h>

int main(void) {
    int n;
    long long a, x = 0;
    scanf("%d %*d", &n);
    while (n--) {
        scanf("%lld", &a);
        x ^= a;
    }
    puts(x ? "Yes" : "No");
    return 0;
}
