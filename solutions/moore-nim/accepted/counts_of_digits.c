// Counts digit by digit.
#include <stdio.h>

int main(void) {
    int n, k, count[60] = {0};
    scanf("%d %d", &n, &k);
    while (n--) {
        long long a;
        scanf("%lld", &a);
        for (int b = 0; b < 60; b++)
            if ((a >> b & 1) == 1) count[b]++;
    }
    const char *answer = "No";
    for (int b = 0; b < 60; b++)
        if (count[b] % (k + 1) != 0) answer = "Yes";
    puts(answer);
    return 0;
}
