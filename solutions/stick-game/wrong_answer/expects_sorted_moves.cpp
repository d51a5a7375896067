// Mistake: stops at the first move that is too great, as if they came in ascending order.
#include <cstdio>
#include <string>
#include <vector>

int main() {
    int n, k;
    scanf("%d%d", &n, &k);
    std::vector<int> p(k);
    for (int &v : p) scanf("%d", &v);
    std::string s(n + 1, 'L');
    for (int i = 1; i <= n; i++)
        for (int v : p) {
            if (v > i) break;
            if (s[i - v] == 'L') s[i] = 'W';
        }
    puts(s.c_str() + 1);
}
