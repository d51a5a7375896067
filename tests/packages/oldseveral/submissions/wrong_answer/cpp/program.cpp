#include <cstdio>

int once(int);

int main() {
    int n;
    if (scanf("%d", &n) == 1) printf("%d\n", once(n));
}
