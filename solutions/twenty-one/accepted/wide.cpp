#include <cstdio>

int main() {
    long long l, k, x;
    scanf("%lld%lld%lld", &l, &k, &x);
    printf("%lld\n", (l - 1 - x) % (k + 1));
}
