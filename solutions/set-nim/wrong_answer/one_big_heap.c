// Mistake: finds won and lost sizes of a single heap, and judges several by the parity of the won ones.
#include <stdbool.h>
#include <stdio.h>

int s[100];
bool won[10001];

int main(void) {
    int k, n, count = 0;
    scanf("%d", &k);
    for (int i = 0; i < k; i++) scanf("%d", &s[i]);
    for (int h = 1; h <= 10000; h++)
        for (int i = 0; i < k; i++)
            if (s[i] <= h && !won[h - s[i]]) won[h] = true;
    scanf("%d", &n);
    while (n--) {
        int h;
        scanf("%d", &h);
        if (won[h]) count++;
    }
    puts(count % 2 == 1 ? "Yes" : "No");
    return 0;
}
