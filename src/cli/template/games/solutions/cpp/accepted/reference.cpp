// The reference solution: a heap counts as its remainder, and the remainders as in Nim.

#include <iostream>

int main() {
    int n, k, nim_sum = 0;
    std::cin >> n >> k;
    for (int i = 0; i < n; i++) {
        int a;
        std::cin >> a;
        nim_sum ^= a % (k + 1);
    }
    std::cout << (nim_sum == 0 ? "Second" : "First") << "\n";
}
