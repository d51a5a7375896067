// Mistake: the rule for empty stacks, without looking at their heights.
#include <stdio.h>

int main(void) {
    int t, s, won;
    scanf("%d %d", &t, &s);
    if (t % 2 || s % 2 == 0)
        won = 0;
    else if (s == 3)
        won = ((t + 2) & (t + 1)) != 0;
    else
        won = s == 1 || t > s + 3;
    puts(won ? "Yes" : "No");
}
