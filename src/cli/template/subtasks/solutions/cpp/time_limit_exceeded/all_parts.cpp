// Too slow for the last subtask: tries all parts.

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
    long long best = LLONG_MIN;
    for (int from = 0; from < n; from++) {
        long long sum = 0;
        for (int i = from; i < n; i++) {
            sum += a[i];
            best = std::max(best, sum);
        }
    }
    std::cout << best << "\n";
}
