// Mistake: believes that the period is one more than the largest move, as if all smaller moves were allowed.
#include <stdio.h>

int main(void) {
    int k, s, longest = 0;
    long long h;
    scanf("%d", &k);
    for (int i = 0; i < k; i++) {
        scanf("%d", &s);
        if (s > longest) longest = s;
    }
    scanf("%lld", &h);
    int value = h % (longest + 1);
    printf("0 %d %d\n", longest + 1, value < k ? value : k);
}
