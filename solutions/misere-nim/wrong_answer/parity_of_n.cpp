// Mistake: where no heap is big, takes the parity of the number of heaps, empty ones included.
#include <cstdio>

int main() {
    int t;
    scanf("%d", &t);
    while (t--) {
        int n, x = 0, big = 0, a;
        scanf("%d", &n);
        for (int i = 0; i < n; i++) {
            scanf("%d", &a);
            x ^= a;
            if (a > 1) big++;
        }
        bool john = big ? x != 0 : n % 2 == 0;
        puts(john ? "John" : "Brother");
    }
}
