// Mistake: takes the pattern of the first few lost heaps for the rule.
#include <stdio.h>

int main(void) {
    int games, n;
    scanf("%d", &games);
    while (games--) {
        scanf("%d", &n);
        puts(n == 2 || (n % 3 == 1 && n < 60) ? "second" : "first");
    }
}
