// Wrong answer: tries the numbers one by one, which takes more than ten guesses.

#include <iostream>
#include <string>

int main() {
    int low = 1, high = 1000;
    while (low <= high) {
        int guess = low;
        std::cout << guess << std::endl; // endl flushes; with "\n" the interactor would wait for a line in a buffer
        std::string reply;
        std::cin >> reply;
        if (reply == "less") high = guess - 1;
        else if (reply == "more") low = guess + 1;
        else return 0;
    }
}
