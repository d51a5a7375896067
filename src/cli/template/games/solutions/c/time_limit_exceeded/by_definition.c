// Too slow: computes the Grundy value of every heap size by the definition.

#include <stdio.h>

static int grundy[1000001], seen[1000002];

int main(void) {
    int n, k, nim_sum = 0, known = 0;
    scanf("%d %d", &n, &k);
    for (int i = 0; i < n; i++) {
        int a;
        scanf("%d", &a);
        for (; known < a; known++) {
            int size = known + 1, value = 0;
            for (int taken = 1; taken <= k && taken <= size; taken++) seen[grundy[size - taken]] = size;
            while (seen[value] == size) value++;
            grundy[size] = value;
        }
        nim_sum ^= grundy[a];
    }
    printf("%s\n", nim_sum == 0 ? "Second" : "First");
}
