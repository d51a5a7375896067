// Mistake: the rule of Nim, as if any heap could be chosen.
#include <stdio.h>

int main(void) {
    int n;
    long long a, x = 0;
    scanf("%d", &n);
    while (n--) {
        scanf("%lld", &a);
        x ^= a;
    }
    puts(x ? "Yes" : "No");
    return 0;
}
