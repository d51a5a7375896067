// Mistake: believes that the period is the sum of the largest and the smallest move, and that there is no preperiod.
#include <stdio.h>

int main(void) {
    int k, moves[10], longest = 0, shortest = 100, values[200];
    long long h;
    scanf("%d", &k);
    for (int i = 0; i < k; i++) {
        scanf("%d", &moves[i]);
        if (moves[i] > longest) longest = moves[i];
        if (moves[i] < shortest) shortest = moves[i];
    }
    scanf("%lld", &h);
    int p = longest + shortest;
    for (int size = 0; size < p; size++) {
        int reached[12] = {0}, v = 0;
        for (int i = 0; i < k; i++)
            if (moves[i] <= size) reached[values[size - moves[i]]] = 1;
        while (reached[v]) v++;
        values[size] = v;
    }
    printf("0 %d %d\n", p, values[h % p]);
}
