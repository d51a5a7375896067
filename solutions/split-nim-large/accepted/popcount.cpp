#include <cstdio>

int main() {
    int n;
    unsigned long long a, x = 0;
    scanf("%d", &n);
    while (n--) {
        scanf("%llu", &a);
        if (a) x ^= 2 * (a - 1) + !__builtin_parityll(a - 1);
    }
    puts(x ? "Yes" : "No");
}
