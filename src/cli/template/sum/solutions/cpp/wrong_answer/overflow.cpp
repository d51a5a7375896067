// Wrong answer: the sum overflows 32 bits.

#include <iostream>

int main() {
    int n;
    std::cin >> n;
    unsigned total = 0;
    for (int i = 0; i < n; i++) {
        int a;
        std::cin >> a;
        total += a;
    }
    std::cout << static_cast<int>(total) << "\n";
}
