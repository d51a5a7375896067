// Too slow: searches the game tree, without storing the positions already solved.
#include <cstdio>
#include <vector>

std::vector<int> a;

bool wins() {
    bool empty = true;
    for (int &heap : a) {
        int stones = heap;
        for (heap = 0; heap < stones; heap++) {
            empty = false;
            if (!wins()) {
                heap = stones;
                return true;
            }
        }
    }
    return empty;
}

int main() {
    int t, n;
    scanf("%d", &t);
    while (t--) {
        scanf("%d", &n);
        a.resize(n);
        for (int &v : a) scanf("%d", &v);
        puts(wins() ? "John" : "Brother");
    }
}
