// Never flushes: its moves stay in the output buffer.
#include <cstdio>
#include <vector>

int main() {
    int n;
    scanf("%d", &n);
    std::vector<int> heaps(n);
    for (int &heap : heaps) scanf("%d", &heap);
    for (int left = 1; left;) {
        int x = 0, i = 0, j = 0, amount = 0;
        for (int heap : heaps) x ^= heap;
        while ((heaps[i] ^ x) >= heaps[i]) i++;
        printf("%d %d\n", i + 1, heaps[i] - (heaps[i] ^ x));
        heaps[i] ^= x;
        left = 0;
        for (int heap : heaps) left |= heap;
        if (!left) break;
        scanf("%d %d", &j, &amount);
        heaps[j - 1] -= amount;
    }
}
