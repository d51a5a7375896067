// Mistake: lets the first placer open the Nim, for any number of tokens.
#include <stdio.h>

static int s, h[5];
static signed char memo[17 * 17 * 17 * 17 * 17];

// `placed` has a digit in base 17 for each stack: the tokens put on it
static int opener_wins(int left, int mine, int placed) {
    if (left == 0) return (h[0] ^ h[1] ^ h[2] ^ h[3] ^ h[4]) != 0;
    if (memo[placed]) return memo[placed] > 0;
    int won = !mine;
    for (int i = 0, one = 1; i < s; i++, one *= 17) {
        h[i]++;
        if (opener_wins(left - 1, !mine, placed + one) == mine) won = mine;
        h[i]--;
    }
    memo[placed] = won ? 1 : -1;
    return won;
}

int main(void) {
    int t;
    scanf("%d %d", &t, &s);
    for (int i = 0; i < s; i++) scanf("%d", &h[i]);
    puts(opener_wins(t, 1, 0) ? "Yes" : "No");
}
