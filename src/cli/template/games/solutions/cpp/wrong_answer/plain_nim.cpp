// Wrong answer: ignores that a move takes at most k stones.

#include <iostream>

int main() {
    int n, k, nim_sum = 0;
    std::cin >> n >> k;
    for (int i = 0; i < n; i++) {
        int a;
        std::cin >> a;
        nim_sum ^= a;
    }
    std::cout << (nim_sum == 0 ? "Second" : "First") << "\n";
}
