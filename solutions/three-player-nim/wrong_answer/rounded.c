// Mistake: reads the sizes as floating-point numbers, which keep 53 binary digits and round the rest.
#include <stdio.h>

unsigned long long heaps[1000000];

int main(void) {
    int n;
    unsigned long long ones = 0, twos = 0;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) {
        double a;
        scanf("%lf", &a);
        heaps[i] = a;
        ones = (ones ^ heaps[i]) & ~twos;
        twos = (twos ^ heaps[i]) & ~ones;
    }
    char winner = 'B';
    if (ones == 0 && twos == 0) winner = 'C';
    else if (twos < ones)
        for (int i = 0; i < n; i++)
            if ((heaps[i] & (ones | twos)) == ones) winner = 'A';
    printf("%c\n", winner);
    return 0;
}
