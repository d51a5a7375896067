// Marks forward from every lost number.
#include <stdio.h>
#include <string.h>

int p[100];
char s[1000002];

int main(void) {
    int n, k;
    scanf("%d %d", &n, &k);
    for (int i = 0; i < k; i++) scanf("%d", &p[i]);
    memset(s, 'L', n + 1);
    for (int i = 0; i <= n; i++)
        if (s[i] == 'L')
            for (int j = 0; j < k; j++)
                if (i + p[j] <= n) s[i + p[j]] = 'W';
    puts(s + 1);
    return 0;
}
