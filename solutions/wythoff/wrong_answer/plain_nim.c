// Mistake: Nim on two heaps; the second kind of move is forgotten.
#include <stdio.h>

int main(void) {
    long long a, b;
    scanf("%lld %lld", &a, &b);
    puts(a == b ? "0" : "1");
    return 0;
}
