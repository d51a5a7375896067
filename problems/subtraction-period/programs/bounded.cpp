// The validator of subtraction-period: the sum of preperiod and period is at most 100000.
// Written in C++ without dependencies, so that other judges can run it.

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <set>
#include <vector>

constexpr size_t MOST = 100000;

// Whether two windows as long as the largest move are equal, both beginning at `MOST` or before.
static bool repeats(const std::vector<size_t> &set) {
    size_t window = *std::max_element(set.begin(), set.end());
    std::vector<uint8_t> values;
    std::set<std::vector<uint8_t>> seen;
    for (size_t size = 0; size < MOST + window; size++) {
        bool reached[16] = {};
        for (size_t taken : set)
            if (taken <= size) reached[values[size - taken]] = true;
        values.push_back(std::find(reached, reached + 16, false) - reached);
        if (values.size() >= window && !seen.emplace(values.end() - window, values.end()).second) return true;
    }
    return false;
}

int main() {
    size_t k = 0;
    std::cin >> k;
    if (!std::cin || k < 1 || k > 10) return 43;
    std::vector<size_t> set(k);
    for (size_t &taken : set) {
        std::cin >> taken;
        if (!std::cin || taken < 1 || taken > 100) return 43;
    }
    if (repeats(set)) return 42;
    std::cerr << "preperiod and period are more than 100000 together\n";
    return 43;
}
