// Mistake: the rule of Nim where the last stone wins.
#include <stdio.h>

int main(void) {
    int t, n, a;
    scanf("%d", &t);
    while (t--) {
        int x = 0;
        scanf("%d", &n);
        while (n--) {
            scanf("%d", &a);
            x ^= a;
        }
        puts(x ? "John" : "Brother");
    }
    return 0;
}
