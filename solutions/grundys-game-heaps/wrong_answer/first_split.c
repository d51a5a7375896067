// Mistake: assumes that the first player always wins, by splitting one coin off the first heap that can be split.
#include <stdio.h>

int main(void) {
    int n, size;
    scanf("%d", &n);
    for (int i = 1; i <= n; i++) {
        scanf("%d", &size);
        if (size > 2) {
            printf("%d 1\n", i);
            return 0;
        }
    }
    puts("0 0");
    return 0;
}
