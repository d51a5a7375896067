// Wrong answer: takes the same number twice.

#include <iostream>
#include <unordered_map>
#include <vector>

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int n, t;
    std::cin >> n >> t;
    std::vector<int> a(n);
    for (int &x : a) std::cin >> x;
    std::unordered_map<int, int> places;
    for (int i = 0; i < n; i++) places[a[i]] = i;
    for (int j = 0; j < n; j++) {
        auto found = places.find(t - a[j]);
        if (found != places.end()) {
            std::cout << j + 1 << " " << found->second + 1 << "\n";
            return 0;
        }
    }
    std::cout << "0 0\n";
}
