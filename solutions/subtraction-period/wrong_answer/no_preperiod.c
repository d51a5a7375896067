// Mistake: believes that the values repeat from the first one on, and searches for its window only.
#include <stdio.h>
#include <string.h>

static unsigned char values[20000];

int main(void) {
    int k, moves[10], longest = 0;
    long long h;
    scanf("%d", &k);
    for (int i = 0; i < k; i++) {
        scanf("%d", &moves[i]);
        if (moves[i] > longest) longest = moves[i];
    }
    scanf("%lld", &h);
    for (int size = 0; size < 20000; size++) {
        int reached[12] = {0}, v = 0;
        for (int i = 0; i < k; i++)
            if (moves[i] <= size) reached[values[size - moves[i]]] = 1;
        while (reached[v]) v++;
        values[size] = v;
    }
    int p = 1;
    while (p < 20000 - longest && memcmp(values + p, values, longest)) p++;
    if (p == 20000 - longest) p = 1;
    printf("0 %d %d\n", p, values[h % p]);
}
