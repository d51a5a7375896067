// Mistake: judges by the number of stones modulo three, as if each move took exactly one.
#include <cstdio>

int main() {
    int n;
    scanf("%d", &n);
    int sum = 0;
    while (n--) {
        unsigned long long v;
        scanf("%llu", &v);
        sum = (sum + v % 3) % 3;
    }
    puts(sum == 1 ? "A" : sum == 2 ? "B" : "C");
}
