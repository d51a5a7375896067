// Mistake: takes heaps modulo the largest move plus one, which is right only when all smaller moves are allowed too.
#include <stdio.h>

int main(void) {
    int k, s, n, h, top = 0, x = 0;
    scanf("%d", &k);
    while (k--) {
        scanf("%d", &s);
        if (s > top) top = s;
    }
    scanf("%d", &n);
    while (n--) {
        scanf("%d", &h);
        x ^= h % (top + 1);
    }
    puts(x ? "Yes" : "No");
    return 0;
}
