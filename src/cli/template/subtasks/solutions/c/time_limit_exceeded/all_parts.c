// Too slow for the last subtask: tries all parts.

#include <limits.h>
#include <stdio.h>

static long long a[200000];

int main(void) {
    int n;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) scanf("%lld", &a[i]);
    long long best = LLONG_MIN;
    for (int from = 0; from < n; from++) {
        long long sum = 0;
        for (int i = from; i < n; i++) {
            sum += a[i];
            if (sum > best) best = sum;
        }
    }
    printf("%lld\n", best);
}
