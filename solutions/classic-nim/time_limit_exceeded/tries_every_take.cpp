// Too slow: tries every number of stones from every heap, up to 10^9 each, to find one that leaves nim-sum zero.
#include <cstdio>
#include <vector>

int main() {
    int n;
    scanf("%d", &n);
    std::vector<int> a(n);
    int x = 0;
    for (int &v : a) {
        scanf("%d", &v);
        x ^= v;
    }
    for (int v : a)
        for (int left = 0; left < v; left++)
            if ((x ^ v ^ left) == 0) {
                puts("Yes");
                return 0;
            }
    puts("No");
}
