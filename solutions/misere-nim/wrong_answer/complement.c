// Mistake: assumes that the winner of normal play loses misère play.
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
        puts(x ? "Brother" : "John");
    }
    return 0;
}
