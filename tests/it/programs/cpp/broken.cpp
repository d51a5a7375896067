#include <iostream>

int main() {
    std::cout << nowhere;
}
