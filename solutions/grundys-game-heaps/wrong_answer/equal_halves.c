// Mistake: counts splits into equal halves.
#include <stdio.h>

int heaps[1000], value[3001], seen[2048]; // seen: the last size from which a split reaches the nim-sum

int main(void) {
    int n, x = 0;
    scanf("%d", &n);
    for (int size = 2; size <= 3000; size++) {
        for (int part = 1; part <= size / 2; part++) seen[value[part] ^ value[size - part]] = size;
        while (seen[value[size]] == size) value[size]++;
    }
    for (int i = 0; i < n; i++) {
        scanf("%d", &heaps[i]);
        x ^= value[heaps[i]];
    }
    for (int i = 0; x && i < n; i++) {
        int size = heaps[i];
        for (int part = 1; part <= size / 2; part++) {
            if ((x ^ value[size] ^ value[part] ^ value[size - part]) == 0) {
                printf("%d %d\n", i + 1, part);
                return 0;
            }
        }
    }
    puts("0 0");
    return 0;
}
