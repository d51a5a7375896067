// The reference solution: writes the number in base 26 with the letters as digits.

#include <iostream>
#include <string>

int main() {
    std::string task;
    std::cin >> task;
    if (task == "encode") {
        int x;
        std::cin >> x;
        std::string word;
        for (int i = 0; i < 5; i++) {
            word += static_cast<char>('a' + x % 26);
            x /= 26;
        }
        std::cout << word << "\n";
    } else {
        std::string word;
        std::cin >> word;
        int x = 0;
        for (int i = static_cast<int>(word.size()) - 1; i >= 0; i--) x = 26 * x + (word[i] - 'a');
        std::cout << x << "\n";
    }
}
