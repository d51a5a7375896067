// Mistake: the golden ratio as a double, which has not digits enough for sizes like 10^18.
#include <cmath>
#include <cstdio>
#include <utility>

int main() {
    long long a, b;
    scanf("%lld%lld", &a, &b);
    if (a > b) std::swap(a, b);
    long long c = (long long)((b - a) * ((1 + sqrt(5.0)) / 2));
    puts(a == c ? "0" : "1");
}
