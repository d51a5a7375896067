// Crashes: cancels equal heaps in a table indexed by size, with room for a million only.
#include <cstdio>
#include <vector>

int main() {
    int n, v, x = 0;
    scanf("%d", &n);
    std::vector<char> odd(1000001);
    for (int i = 0; i < n; i++) {
        scanf("%d", &v);
        odd.at(v) ^= 1;
    }
    for (int size = 0; size < (int)odd.size(); size++)
        if (odd[size]) x ^= size;
    puts(x ? "Yes" : "No");
}
