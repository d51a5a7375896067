// Takes the steps of one round: as many of k as fit.
#include <cstdio>

int main() {
    long long t, k, p, x;
    scanf("%lld%lld%lld%lld", &t, &k, &p, &x);
    long long rest = (t - x) % ((p - 1) * k + 1), place = p;
    for (long long i = 1; i < p; i++)
        if (rest > (i - 1) * k && rest <= i * k) place = i;
    printf("%lld\n", place);
}
