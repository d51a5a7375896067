// Mistake: only the number of tokens matters.
#include <stdio.h>

int main(void) {
    int t;
    scanf("%d", &t);
    puts(t % 2 ? "No" : "Yes");
}
