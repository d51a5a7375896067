// Mistake: the game in which the last stone wins.
#include <stdio.h>

int main(void) {
    int n;
    // the two largest sizes, and how many heaps have them
    long long a, top = 0, tops = 0, second = 0, seconds = 0;
    scanf("%d", &n);
    while (n--) {
        scanf("%lld", &a);
        if (a == 0) continue;
        if (a > top) {
            second = top, seconds = tops;
            top = a, tops = 0;
        } else if (a > second && a < top) {
            second = a, seconds = 0;
        }
        tops += a == top;
        seconds += a == second;
    }
    if (tops % 2 == 0)
        puts("No 0");
    else if (tops > 1)
        printf("Yes %lld\n", tops * top);
    else if (seconds == 0 || seconds % 2)
        puts("Yes 1");
    else
        printf("Yes %lld\n", second);
}
