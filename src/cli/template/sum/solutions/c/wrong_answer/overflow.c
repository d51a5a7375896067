// Wrong answer: the sum overflows 32 bits.

#include <stdio.h>

int main(void) {
    int n;
    scanf("%d", &n);
    unsigned total = 0;
    for (int i = 0; i < n; i++) {
        int a;
        scanf("%d", &a);
        total += a;
    }
    printf("%d\n", (int)total);
}
