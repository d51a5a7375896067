/* Mistake: judges by the parity of the number of stones, as if each move took exactly one. */
#include <stdio.h>

int main(void) {
    int n, a;
    long long sum = 0;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) {
        scanf("%d", &a);
        sum += a;
    }
    printf("%s\n", sum % 2 ? "Yes" : "No");
    return 0;
}
