// Mistake: looks at the lower 31 digits only.
#include <stdbool.h>
#include <stdio.h>

int main(void) {
    int n, k, count[31] = {0};
    scanf("%d %d", &n, &k);
    while (n--) {
        long long a;
        scanf("%lld", &a);
        for (int b = 0; b < 31; b++) count[b] += a >> b & 1;
    }
    bool lost = true;
    for (int b = 0; b < 31; b++) lost &= count[b] % (k + 1) == 0;
    puts(lost ? "No" : "Yes");
    return 0;
}
