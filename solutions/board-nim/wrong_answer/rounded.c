// Mistake: large odd numbers are rounded to even ones.
#include <math.h>
#include <stdio.h>

int main(void) {
    int d, even = 0;
    scanf("%d", &d);
    while (d--) {
        double k;
        scanf("%lf", &k);
        if (fmod(k, 2) == 0) even++;
    }
    puts(even > 1 ? "No" : "Yes");
    return 0;
}
