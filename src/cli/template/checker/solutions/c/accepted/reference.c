// The reference solution: moves two ends of the sorted numbers towards each other.

#include <stdio.h>
#include <stdlib.h>

typedef struct { int value, place; } Number;
static Number a[200000];

static int by_value(const void *x, const void *y) {
    int left = ((const Number *)x)->value, right = ((const Number *)y)->value;
    return (left > right) - (left < right);
}

int main(void) {
    int n, t;
    scanf("%d %d", &n, &t);
    for (int i = 0; i < n; i++) {
        scanf("%d", &a[i].value);
        a[i].place = i + 1;
    }
    qsort(a, n, sizeof *a, by_value);
    int low = 0, high = n - 1;
    while (low < high) {
        int sum = a[low].value + a[high].value;
        if (sum == t) {
            int i = a[low].place, j = a[high].place;
            printf("%d %d\n", i < j ? i : j, i < j ? j : i);
            return 0;
        }
        if (sum < t) low++;
        else high--;
    }
    printf("0 0\n");
}
