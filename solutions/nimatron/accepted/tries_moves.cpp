// Tries all moves for one that leaves the nim-sum zero.
#include <iostream>
#include <vector>

int main() {
    int n, left = 0;
    std::cin >> n;
    std::vector<int> a(n);
    for (int &v : a) std::cin >> v, left += v;
    while (left) {
        int x = 0, heap = 0, amount = 0;
        for (int v : a) x ^= v;
        for (int i = 0; i < n && !amount; i++)
            for (int take = 1; take <= a[i] && !amount; take++)
                if ((x ^ a[i] ^ (a[i] - take)) == 0) heap = i, amount = take;
        std::cout << heap + 1 << ' ' << amount << std::endl;
        a[heap] -= amount, left -= amount;
        if (!left || !(std::cin >> heap >> amount)) break;
        a[heap - 1] -= amount, left -= amount;
    }
}
