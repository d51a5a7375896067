// No root at all: small = floor(d * phi) means 2 * small - d <= d * sqrt 5 < 2 * small - d + 2, and squares compare alike.
#include <cstdio>
#include <utility>

int main() {
    long long a, b;
    if (scanf("%lld%lld", &a, &b) != 2) return 1;
    if (a > b) std::swap(a, b);
    __int128 d = b - a, low = 2 * (__int128)a - d, high = low + 2;
    bool lost = low >= 0 && low * low <= 5 * d * d && 5 * d * d < high * high;
    puts(lost ? "0" : "1");
}
