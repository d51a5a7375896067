// The rule, from the nim-sum and the largest heap.
#include <stdbool.h>
#include <stdio.h>

int main(void) {
    int t;
    scanf("%d", &t);
    while (t--) {
        int n, x = 0, max = 0;
        scanf("%d", &n);
        while (n--) {
            int a;
            scanf("%d", &a);
            x ^= a;
            if (a > max) max = a;
        }
        bool john = max <= 1 ? x == 0 : x != 0;
        puts(john ? "John" : "Brother");
    }
    return 0;
}
