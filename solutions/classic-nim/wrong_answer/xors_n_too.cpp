// Mistake: xors everything it reads, the number of heaps included.
#include <iostream>

int main() {
    long long x = 0, v;
    while (std::cin >> v) x ^= v;
    std::cout << (x ? "Yes" : "No") << std::endl;
}
