// Mistake: the nim-sum of a game is added to that of the game before.
#include <stdbool.h>
#include <stdio.h>

int main(void) {
    int t, x = 0;
    scanf("%d", &t);
    while (t--) {
        int n;
        bool big = false;
        scanf("%d", &n);
        while (n--) {
            int a;
            scanf("%d", &a);
            x ^= a;
            big = big || a > 1;
        }
        puts((x != 0) == big ? "John" : "Brother");
    }
    return 0;
}
