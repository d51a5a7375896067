// The reference solution: writes the number in base 26 with the letters as digits.

#include <stdio.h>
#include <string.h>

int main(void) {
    char task[16], word[16];
    int x = 0;
    scanf("%15s", task);
    if (strcmp(task, "encode") == 0) {
        scanf("%d", &x);
        for (int i = 0; i < 5; i++) {
            putchar('a' + x % 26);
            x /= 26;
        }
        putchar('\n');
    } else {
        scanf("%15s", word);
        for (int i = (int)strlen(word) - 1; i >= 0; i--) x = 26 * x + (word[i] - 'a');
        printf("%d\n", x);
    }
}
