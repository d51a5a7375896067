// Mistake: inverts the winner of normal play everywhere, not only if all heaps are ones.
#include <algorithm>
#include <cstdio>
#include <vector>

int main() {
    int n;
    scanf("%d", &n);
    std::vector<long long> a(n);
    for (auto &v : a) scanf("%lld", &v);
    long long top = *std::max_element(a.begin(), a.end());
    long long count = top ? std::count(a.begin(), a.end(), top) : 0;
    if (count % 2) puts("No 0");
    else printf("Yes %lld\n", top * count);
}
