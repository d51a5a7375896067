// Mistake: looks for a move that leaves nim-sum zero, but tries to take powers of two only.
// From 1 2 the one stone that must go from the heap of two is found; from 3 6 the three from the heap of six are not.
#include <stdio.h>

int a[100000];

int main(void) {
    int n, x = 0;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) {
        scanf("%d", &a[i]);
        x ^= a[i];
    }
    for (int i = 0; i < n; i++)
        for (int take = 1; take <= a[i]; take *= 2)
            if ((x ^ a[i] ^ (a[i] - take)) == 0) {
                puts("Yes");
                return 0;
            }
    puts("No");
    return 0;
}
