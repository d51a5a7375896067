// By definition: a number is won if some move leads to a lost one.
#include <iostream>
#include <string>
#include <vector>

int main() {
    int n, k;
    std::cin >> n >> k;
    std::vector<int> p(k);
    for (int &v : p) std::cin >> v;
    std::string s(n + 1, 'L');
    for (int i = 1; i <= n; i++)
        for (int v : p)
            if (v <= i && s[i - v] == 'L') {
                s[i] = 'W';
                break;
            }
    std::cout << s.substr(1);
}
