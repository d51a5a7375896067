#include <cstdio>

int main() {
    int d, even = 0;
    scanf("%d", &d);
    while (d--) {
        long long k;
        scanf("%lld", &k);
        if (k % 2 == 0) even++;
    }
    puts(even > 1 ? "No" : "Yes");
}
