// Mistake: the two new heaps must differ, as in Grundy's game.
#include <stdbool.h>
#include <stdio.h>

int main(void) {
    int g[101] = {0};
    for (int a = 1; a <= 100; a++) {
        bool seen[256] = {false};
        for (int b = 0; b < a; b++)
            for (int c = 0; c < b; c++) seen[g[b] ^ g[c]] = true;
        while (seen[g[a]]) g[a]++;
    }
    int n, x = 0;
    scanf("%d", &n);
    while (n--) {
        int a;
        scanf("%d", &a);
        x ^= g[a];
    }
    puts(x != 0 ? "Yes" : "No");
    return 0;
}
