// Too slow: computes the Grundy value of every heap size by the definition.

#include <iostream>
#include <vector>

int main() {
    int n, k, nim_sum = 0;
    std::cin >> n >> k;
    std::vector<int> grundy{0}, seen(k + 2);
    for (int i = 0; i < n; i++) {
        int a;
        std::cin >> a;
        for (int size = static_cast<int>(grundy.size()); size <= a; size++) {
            int value = 0;
            for (int taken = 1; taken <= k && taken <= size; taken++) seen[grundy[size - taken]] = size;
            while (seen[value] == size) value++;
            grundy.push_back(value);
        }
        nim_sum ^= grundy[a];
    }
    std::cout << (nim_sum == 0 ? "Second" : "First") << "\n";
}
