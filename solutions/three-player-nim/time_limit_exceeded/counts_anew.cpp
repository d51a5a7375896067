// Too slow: for every heap A might reduce, counts the digits of all the others again.
#include <cstdio>
#include <vector>

typedef unsigned long long u64;

int main() {
    int n;
    scanf("%d", &n);
    std::vector<u64> a(n);
    for (u64 &v : a) scanf("%llu", &v);
    bool lost = true;
    for (int b = 0; b < 63; b++) {
        int count = 0;
        for (u64 v : a) count += v >> b & 1;
        if (count % 3) lost = false;
    }
    if (lost) {
        puts("C");
        return 0;
    }
    for (int i = 0; i < n; i++) {
        u64 y = 0;
        bool possible = true;
        for (int b = 62; b >= 0; b--) {
            int count = 0;
            for (int j = 0; j < n; j++)
                if (j != i) count += a[j] >> b & 1;
            if (count % 3 == 1) possible = false;
            if (count % 3 == 2) y |= 1ULL << b;
        }
        if (possible && y < a[i]) {
            puts("A");
            return 0;
        }
    }
    puts("B");
}
