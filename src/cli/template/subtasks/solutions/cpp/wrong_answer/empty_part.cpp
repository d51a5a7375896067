// Wrong answer: allows an empty part, whose sum is 0.

#include <algorithm>
#include <iostream>
#include <vector>

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int n;
    std::cin >> n;
    std::vector<long long> a(n);
    for (long long &x : a) std::cin >> x;
    long long best = 0, ending_here = 0;
    for (long long x : a) {
        ending_here = x + std::max(ending_here, 0LL);
        best = std::max(best, ending_here);
    }
    std::cout << best << "\n";
}
