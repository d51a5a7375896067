// Mistake: decides between A and B by the highest digit that is not in balance; the lower ones may not be mendable.
#include <stdio.h>

int main(void) {
    int n;
    long long ones = 0, twos = 0;
    scanf("%d", &n);
    while (n--) {
        long long v;
        scanf("%lld", &v);
        ones = (ones ^ v) & ~twos;
        twos = (twos ^ v) & ~ones;
    }
    puts(ones == 0 && twos == 0 ? "C" : ones > twos ? "A" : "B");
    return 0;
}
