// The checker of grundys-game-heaps: a split is right if the rules allow it and the nim-sum after it is 0.
// Written in C++ without dependencies, so that other judges can run it.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

static std::string feedback;

// Exits with a message for the judges. Exit code 42 accepts, 43 rejects, any other is a failure of this program.
[[noreturn]] static void end(int code, const std::string &message) {
    std::ofstream(feedback + "judgemessage.txt") << message << "\n";
    std::exit(code);
}

// Quotes a word of the program in a message.
static std::string shown(const std::string &word) { return word.empty() ? "the end" : "`" + word.substr(0, 40) + "`"; }

// Reads a number of the program in 0..=high.
static uint64_t said(uint64_t high) {
    std::string word;
    std::cin >> word;
    uint64_t number = 0;
    bool digits = !word.empty();
    for (char digit : word) {
        digits = digits && digit >= '0' && digit <= '9' && number <= high;
        if (digits) number = 10 * number + (digit - '0');
    }
    if (!digits || number > high)
        end(43, "expected a number from 0 to " + std::to_string(high) + ", found " + shown(word));
    return number;
}

// The Grundy values of heaps of 0 to `most`.
static std::vector<unsigned> values(size_t most) {
    std::vector<unsigned> value(most + 1);
    for (size_t size = 1; size <= most; size++) {
        std::vector<bool> reached(size + 1);
        for (size_t part = 1; 2 * part < size; part++) {
            unsigned sum = value[part] ^ value[size - part];
            if (sum <= size) reached[sum] = true;
        }
        while (reached[value[size]]) value[size]++;
    }
    return value;
}

int main(int argc, char **argv) {
    if (argc < 4) return 1;
    feedback = argv[3];
    std::ifstream input(argv[1]), answer(argv[2]);
    size_t n = 0, first = 0;
    input >> n;
    std::vector<size_t> heaps(n);
    for (size_t &heap : heaps) input >> heap;
    answer >> first;
    if (!input || !answer) end(1, "cannot read the input or the answer");

    size_t heap = said(n), part = said(3000);
    std::string more, move = std::to_string(heap) + " " + std::to_string(part);
    if (std::cin >> more) end(43, "expected the end, found " + shown(more));
    if (heap == 0 && part == 0) {
        if (first > 0) end(43, "there is a winning move");
        end(42, "no move wins");
    }
    if (heap == 0 || part == 0) end(43, "`" + move + "` is no move, and not `0 0` either");
    size_t size = heaps[heap - 1];
    if (part >= size || 2 * part == size)
        end(43, "heap " + std::to_string(heap) + " holds " + std::to_string(size) + " coins and cannot be split into " +
                    std::to_string(part) + " and the rest");
    std::vector<unsigned> value = values(*std::max_element(heaps.begin(), heaps.end()));
    unsigned after = value[size] ^ value[part] ^ value[size - part];
    for (size_t other : heaps) after ^= value[other];
    if (after != 0) end(43, "after the split `" + move + "` the nim-sum is " + std::to_string(after));
    if (first == 0) end(1, "the move wins, and the answer says that there is none");
    end(42, "a winning move");
}
