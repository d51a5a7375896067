// Too slow: computes every number from the end.
#include <cstdio>

int main() {
    long long l, k, x;
    scanf("%lld%lld%lld", &l, &k, &x);
    long long target = l - 1;
    while (target - k - 1 >= x) target -= k + 1;
    printf("%lld\n", target - x);
}
