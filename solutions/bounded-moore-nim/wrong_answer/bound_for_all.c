// Mistake: takes r for the bound of all stones taken in a move together.
#include <stdio.h>

static int k, r;
static signed char memo[13][13][13][13];

static int wins(int h[4]);

// whether some move wins that takes at most `stones` more stones, from at most `heaps` of the heaps from i on
static int some(int h[4], int i, int heaps, int stones) {
    if (i == 4) return stones < r && !wins(h);
    if (some(h, i + 1, heaps, stones)) return 1;
    int size = h[i], won = 0;
    for (int t = 1; heaps > 0 && t <= stones && t <= size && !won; t++) {
        h[i] = size - t;
        won = some(h, i + 1, heaps - 1, stones - t);
    }
    h[i] = size;
    return won;
}

static int wins(int h[4]) {
    signed char *m = &memo[h[0]][h[1]][h[2]][h[3]];
    if (*m == 0) *m = some(h, 0, k, r) ? 1 : -1;
    return *m > 0;
}

int main(void) {
    int n, h[4] = {0};
    scanf("%d %d %d", &n, &k, &r);
    for (int i = 0; i < n; i++) scanf("%d", &h[i]);
    puts(wins(h) ? "Yes" : "No");
}
