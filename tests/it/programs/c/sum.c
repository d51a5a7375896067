#include <stdio.h>

int main(void) {
    int n;
    long long sum = 0, x;
#ifndef ONLINE_JUDGE
    freopen("no-such-input.txt", "r", stdin);
#endif
    if (scanf("%d", &n) != 1) return 1;
    for (int i = 0; i < n; i++) {
        if (scanf("%lld", &x) != 1) return 1;
        sum += x;
    }
    printf("%lld\n", sum);
    return 0;
}
