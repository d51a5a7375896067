// Mistake: floating-point numbers can't tell 2^63 - 1 from 2^63 - 2.
#include <stdio.h>

double heaps[200000];

int main(void) {
    int n, count = 0;
    double top = 0;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) {
        scanf("%lf", &heaps[i]);
        if (heaps[i] > top) top = heaps[i];
    }
    for (int i = 0; i < n; i++) count += heaps[i] == top;
    puts(top > 0 && count % 2 ? "Yes" : "No");
    return 0;
}
