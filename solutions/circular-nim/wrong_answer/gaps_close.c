// Mistake: counts all pieces together, as if gaps closed.
#include <stdio.h>

int main(void) {
    int k, count = 0;
    char s[401];
    scanf("%d %400s", &k, s);
    for (char *c = s; *c; c++) count += *c == '#';
    puts(count % (k + 1) ? "Yes" : "No");
}
