// Mistake: multiples of the largest move plus one are thought to be lost, which holds only if all smaller moves are allowed.
#include <stdio.h>

int main(void) {
    int n, k, p, m = 0;
    scanf("%d %d", &n, &k);
    while (k--) {
        scanf("%d", &p);
        if (p + 1 > m) m = p + 1;
    }
    for (int i = 1; i <= n; i++) putchar(i % m == 0 ? 'L' : 'W');
    putchar('\n');
    return 0;
}
