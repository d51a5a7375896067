#include <functional>
#include <iostream>

int main() {
    long long n;
    std::cin >> n;
    std::function<long long(long long)> fold = [&](long long k) {
        return k == 0 ? 0 : (fold(k - 1) / 2 + k) % 1000003;
    };
    std::cout << fold(n) << '\n';
}
