// Mistake: the rule for two players. Nim-sum zero is given to C, everything else to A.
#include <stdio.h>

int main(void) {
    int n;
    long long a, x = 0;
    scanf("%d", &n);
    while (n--) {
        scanf("%lld", &a);
        x ^= a;
    }
    puts(x ? "A" : "C");
    return 0;
}
