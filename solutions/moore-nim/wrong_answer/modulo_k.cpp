// Mistake: counts digits modulo k where it should be k + 1.
#include <cstdio>

int main() {
    int n, k, count[60] = {0};
    scanf("%d%d", &n, &k);
    while (n--) {
        unsigned long long a;
        scanf("%llu", &a);
        for (int b = 0; b < 60; b++) count[b] += a >> b & 1;
    }
    bool lost = true;
    for (int c : count) lost = lost && c % k == 0;
    puts(lost ? "No" : "Yes");
}
