// Wrong answer: allows an empty part, whose sum is 0.

#include <stdio.h>

int main(void) {
    int n;
    scanf("%d", &n);
    long long best = 0, ending_here = 0;
    for (int i = 0; i < n; i++) {
        long long x;
        scanf("%lld", &x);
        ending_here = ending_here > 0 ? ending_here + x : x;
        if (ending_here > best) best = ending_here;
    }
    printf("%lld\n", best);
}
