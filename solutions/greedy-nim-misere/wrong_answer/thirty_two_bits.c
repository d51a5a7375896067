/* Mistake: the number of moves does not fit in 32 bits. */
#include <stdio.h>
#include <stdlib.h>

static int down(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }
static int lost(int size, int count) { return size == 0 ? 0 : size == 1 ? count % 2 : count % 2 == 0; }

int main(void) {
    int n, count = 0, moves = 0;
    scanf("%d", &n);
    int *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++) scanf("%d", a + i);
    qsort(a, n, sizeof *a, down);
    while (count < n && a[count] == a[0]) count++;
    if (a[0] == 0) return puts("Yes 0"), 0;
    if (count > 1) {
        if (lost(a[0], count - 1)) moves = (int)((unsigned)a[0] * (unsigned)count);
    } else {
        int second = n > 1 ? a[1] : 0, equal = 0;
        for (int i = 1; second && i < n && a[i] == second; i++) equal++;
        if (second && lost(second, equal)) moves += second;
        if (second && lost(second, equal + 1)) moves++;
        if (!second && a[0] > 1) moves++;
    }
    printf("%s %d\n", lost(a[0], count) ? "No" : "Yes", moves);
    return 0;
}
