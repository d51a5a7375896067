// Too slow: searches the game tree, without storing the positions already solved.
#include <cstdio>
#include <vector>

std::vector<int> a;

bool wins() {
    bool any = false;
    for (size_t i = 0; i < a.size(); i++)
        for (int p = 1, h = a[i]; 2 * p < h; p++) {
            any = true;
            a[i] = h - p;
            a.push_back(p);
            bool lost = !wins();
            a.pop_back();
            a[i] = h;
            if (lost) return true;
        }
    return !any;
}

int main() {
    int n;
    scanf("%d", &n);
    a.resize(n);
    for (auto &v : a) scanf("%d", &v);
    puts(wins() ? "Yes" : "No");
}
