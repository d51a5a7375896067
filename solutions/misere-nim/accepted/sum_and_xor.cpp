// The usual short form: the brother wins if and only if nim-sum zero and a heap of two or more come together, or neither does.
#include <cstdio>

int main() {
    int t;
    scanf("%d", &t);
    while (t--) {
        int n, x = 0;
        bool big = false;
        scanf("%d", &n);
        while (n--) {
            int a;
            scanf("%d", &a);
            x ^= a;
            big |= a > 1;
        }
        puts((x == 0) == big ? "Brother" : "John");
    }
}
