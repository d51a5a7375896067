// Mistake: takes from the ends of runs only, as if they were heaps.
#include <cstdio>
#include <cstring>

int main() {
    char s[402];
    int k;
    scanf("%d%401s", &k, s);
    int n = strlen(s);
    const char *gap = strchr(s, '.');
    if (!gap) {
        puts(n % (k + 1) ? "Yes" : "No");
        return 0;
    }
    int x = 0, run = 0;
    for (int i = 1; i <= n; i++)
        if (s[(gap - s + i) % n] == '#')
            run++;
        else {
            x ^= run % (k + 1);
            run = 0;
        }
    puts(x ? "Yes" : "No");
}
