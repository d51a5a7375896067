// The reference solution: the best sum that ends at each position.

#include <algorithm>
#include <climits>
#include <iostream>
#include <vector>

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int n;
    std::cin >> n;
    std::vector<long long> a(n);
    for (long long &x : a) std::cin >> x;
    long long best = LLONG_MIN, ending_here = 0;
    for (long long x : a) {
        ending_here = x + std::max(ending_here, 0LL);
        best = std::max(best, ending_here);
    }
    std::cout << best << "\n";
}
