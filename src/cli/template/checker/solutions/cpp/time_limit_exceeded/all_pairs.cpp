// Too slow: tries all pairs.

#include <iostream>
#include <vector>

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int n, t;
    std::cin >> n >> t;
    std::vector<int> a(n);
    for (int &x : a) std::cin >> x;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < j; i++)
            if (a[i] + a[j] == t) {
                std::cout << i + 1 << " " << j + 1 << "\n";
                return 0;
            }
    std::cout << "0 0\n";
}
