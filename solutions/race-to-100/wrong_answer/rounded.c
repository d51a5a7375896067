// Mistake: numbers beyond 2^53 are rounded.
#include <math.h>
#include <stdio.h>

int main(void) {
    double t, k, p, x;
    scanf("%lf %lf %lf %lf", &t, &k, &p, &x);
    double rest = fmod(t - x, (p - 1) * k + 1);
    printf("%.0f\n", rest == 0 ? p : floor((rest - 1) / k) + 1);
    return 0;
}
