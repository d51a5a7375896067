// Mistake: both take as much as possible in each move, the winner among the winning moves.
#include <stdio.h>
#include <stdlib.h>

static int up(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void) {
    int n, h[3] = {0}, taken[2] = {0}, turn = 0;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) scanf("%d", &h[i]);
    qsort(h, 3, sizeof *h, up);
    int x = h[0] ^ h[1] ^ h[2];
    while (h[0] || h[1] || h[2]) {
        int s = h[0] ^ h[1] ^ h[2], heap = 0, most = 0;
        for (int i = 0; i < 3; i++) {
            int amount = s ? h[i] - (h[i] ^ s) : h[i];
            if (amount > most) most = amount, heap = i;
        }
        taken[turn] += most;
        h[heap] -= most;
        turn ^= 1;
    }
    printf("%s %d\n", x ? "Yes" : "No", taken[0]);
}
