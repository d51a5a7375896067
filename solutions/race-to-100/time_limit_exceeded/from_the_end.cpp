// Too slow: iterates from the end, round by round.
#include <cstdio>

int main() {
    long long t, k, p, x;
    scanf("%lld%lld%lld%lld", &t, &k, &p, &x);
    long long left = t - x;
    while (left > (p - 1) * k) left -= (p - 1) * k + 1;
    printf("%lld\n", left == 0 ? p : (left - 1) / k + 1);
}
