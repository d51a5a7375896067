// Wrong answer: ignores that a move takes at most k stones.

#include <stdio.h>

int main(void) {
    int n, k, nim_sum = 0;
    scanf("%d %d", &n, &k);
    for (int i = 0; i < n; i++) {
        int a;
        scanf("%d", &a);
        nim_sum ^= a;
    }
    printf("%s\n", nim_sum == 0 ? "Second" : "First");
}
