#include "twice.h"
#include <cstdio>

int main() {
    int n;
    if (scanf("%d", &n) == 1) printf("%d\n", twice(n));
}
