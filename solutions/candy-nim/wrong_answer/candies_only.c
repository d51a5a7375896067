// Mistake: plays for candies and forgets that a win comes first.
#include <stdio.h>

static int memo[31][31][31];

static int mine(int a, int b, int c) {
    int *m = &memo[a][b][c], h[3] = {a, b, c}, total = a + b + c;
    if (*m) return *m;
    for (int i = 0; i < 3; i++) {
        int size = h[i];
        while (h[i]-- > 0) {
            int candies = total - mine(h[0], h[1], h[2]);
            if (candies > *m) *m = candies;
        }
        h[i] = size;
    }
    return *m;
}

int main(void) {
    int n, h[3] = {0};
    scanf("%d", &n);
    for (int i = 0; i < n; i++) scanf("%d", &h[i]);
    printf("%s %d\n", h[0] ^ h[1] ^ h[2] ? "Yes" : "No", mine(h[0], h[1], h[2]));
}
