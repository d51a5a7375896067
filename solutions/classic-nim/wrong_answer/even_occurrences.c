// Mistake: believes that the first player loses exactly when every size occurs an even number of times.
// 1 2 3 is lost too, though the three sizes differ.
#include <stdio.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

int main(void) {
    int n, even = 1;
    scanf("%d", &n);
    int *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++) scanf("%d", &a[i]);
    qsort(a, n, sizeof *a, ascending);
    for (int i = 0, times; i < n; i += times) {
        for (times = 1; i + times < n && a[i + times] == a[i];) times++;
        if (a[i] > 0 && times % 2) even = 0;
    }
    puts(even ? "No" : "Yes");
    return 0;
}
