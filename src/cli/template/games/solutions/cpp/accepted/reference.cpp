// The reference solution: the nim-sum of the remainders modulo k + 1 decides.

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
