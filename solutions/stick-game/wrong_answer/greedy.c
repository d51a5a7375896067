// Mistake: assumes that both players take as many sticks as possible.
#include <stdio.h>

char is_move[1000001], won[1000001];

int main(void) {
    int n, k, p, largest = 0;
    scanf("%d %d", &n, &k);
    while (k--) {
        scanf("%d", &p);
        is_move[p] = 1;
    }
    for (int i = 1; i <= n; i++) {
        if (is_move[i]) largest = i;
        won[i] = !won[i - largest];
        putchar(won[i] ? 'W' : 'L');
    }
    putchar('\n');
    return 0;
}
