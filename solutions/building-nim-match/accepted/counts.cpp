// The placings in a map, by the sorted heights.
#include <algorithm>
#include <iostream>
#include <map>
#include <vector>

using Heights = std::vector<int>;
static std::map<std::pair<int, Heights>, bool> known;

static bool won(int tokens, Heights h) {
    std::sort(h.begin(), h.end());
    if (!tokens) {
        int x = 0;
        for (int v : h) x ^= v;
        return x;
    }
    auto there = known.find({tokens, h});
    if (there != known.end()) return there->second;
    bool any = false;
    for (size_t i = 0; i < h.size() && !any; i++) {
        Heights after = h;
        after[i]++;
        any = !won(tokens - 1, after);
    }
    return known[{tokens, h}] = any;
}

int main() {
    int tokens, s;
    std::cin >> tokens >> s;
    Heights h(s);
    for (int &v : h) std::cin >> v;
    bool mine = won(tokens, h);
    std::cout << (mine ? "first" : "second") << std::endl;
    for (;; mine = !mine) {
        int stack = -1, amount = 0;
        if (!tokens && *std::max_element(h.begin(), h.end()) == 0) return 0;
        if (mine && tokens) {
            for (int i = 0; i < s && stack < 0; i++) {
                h[i]++;
                if (!won(tokens - 1, h)) stack = i;
                h[i]--;
            }
            std::cout << stack + 1 << std::endl;
        } else if (mine) {
            int x = 0;
            for (int v : h) x ^= v;
            for (int i = 0; i < s && stack < 0; i++)
                if ((h[i] ^ x) < h[i]) stack = i, amount = h[i] - (h[i] ^ x);
            std::cout << stack + 1 << ' ' << amount << std::endl;
        } else {
            if (!(std::cin >> stack)) return 0;
            if (!tokens) std::cin >> amount;
            stack--;
        }
        if (tokens) tokens--, h[stack]++;
        else h[stack] -= amount;
    }
}
