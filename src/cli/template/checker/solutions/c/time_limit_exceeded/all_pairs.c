// Too slow: tries all pairs.

#include <stdio.h>

static int a[200000];

int main(void) {
    int n, t;
    scanf("%d %d", &n, &t);
    for (int i = 0; i < n; i++) scanf("%d", &a[i]);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < j; i++)
            if (a[i] + a[j] == t) {
                printf("%d %d\n", i + 1, j + 1);
                return 0;
            }
    printf("0 0\n");
}
