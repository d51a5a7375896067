// Mistake: counts the steps from the top. That is right only when their number is odd.
#include <cstdio>
#include <vector>

int main() {
    int n;
    scanf("%d", &n);
    std::vector<int> a(n);
    for (int &v : a) scanf("%d", &v);
    int x = 0;
    for (int i = n - 1; i >= 0; i -= 2) x ^= a[i];
    puts(x ? "Yes" : "No");
}
