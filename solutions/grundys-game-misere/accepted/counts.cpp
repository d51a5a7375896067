// Memoised search. Positions are counts of heaps of each size.
#include <cstdio>
#include <map>
#include <string>

std::map<std::string, bool> known;

bool wins(std::string counts) {
    counts[1] = counts[2] = 0;
    auto found = known.find(counts);
    if (found != known.end()) return found->second;
    bool any = false, won = false;
    for (int h = 3; h <= 50 && !won; h++) {
        if (!counts[h]) continue;
        any = true;
        for (int p = 1; 2 * p < h && !won; p++) {
            std::string after = counts;
            after[h]--;
            after[p]++;
            after[h - p]++;
            won = !wins(after);
        }
    }
    return known[counts] = won || !any;
}

int main() {
    int n, a;
    std::string counts(51, 0);
    scanf("%d", &n);
    while (n--) {
        scanf("%d", &a);
        counts[a]++;
    }
    puts(wins(counts) ? "Yes" : "No");
}
