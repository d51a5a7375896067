// Mistake: evaluates Nim on the initial stacks.
#include <stdio.h>

int main(void) {
    int t, s, h, x = 0;
    scanf("%d %d", &t, &s);
    while (s--) {
        scanf("%d", &h);
        x ^= h;
    }
    puts(x ? "Yes" : "No");
}
