// Mistake: counts empty heaps as largest when all are empty.
#include <stdio.h>

int main(void) {
    int n, count = 0;
    long long a, largest = 0;
    scanf("%d", &n);
    while (n--) {
        scanf("%lld", &a);
        if (a > largest) {
            largest = a;
            count = 0;
        }
        count += a == largest;
    }
    puts(count % 2 ? "Yes" : "No");
    return 0;
}
