// The checker of subtraction-game-misere: a move is right if the rules allow it and the other player has lost after it.
// Written in C++ without dependencies, so that other judges can run it.

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

// Whether the player to move loses: by the nim-sum of the residues modulo r + 1, inverted if none is above 1.
static bool is_lost(const std::vector<uint64_t> &heaps, uint64_t r) {
    uint64_t sum = 0;
    bool large = false;
    for (uint64_t heap : heaps) {
        sum ^= heap % (r + 1);
        large = large || heap % (r + 1) > 1;
    }
    return large ? sum == 0 : sum == 1;
}

int main(int argc, char **argv) {
    if (argc < 4) return 1;
    feedback = argv[3];
    std::ifstream input(argv[1]), answer(argv[2]);
    uint64_t n = 0, r = 0, first = 0;
    input >> n >> r;
    std::vector<uint64_t> heaps(n);
    for (uint64_t &heap : heaps) input >> heap;
    answer >> first;
    if (!input || !answer) end(1, "cannot read the input or the answer");

    uint64_t heap = said(n), amount = said(r);
    std::string more, move = std::to_string(heap) + " " + std::to_string(amount);
    if (std::cin >> more) end(43, "expected the end, found " + shown(more));
    if (heap == 0 && amount == 0) {
        if (first > 0) end(43, "there is a winning move");
        end(42, "no move wins");
    }
    if (heap == 0 || amount == 0) end(43, "`" + move + "` is no move, and not `0 0` either");
    if (amount > heaps[heap - 1])
        end(43, "heap " + std::to_string(heap) + " has only " + std::to_string(heaps[heap - 1]) + " stones, and " +
                    std::to_string(amount) + " are taken");
    heaps[heap - 1] -= amount;
    if (!is_lost(heaps, r)) end(43, "after the move `" + move + "` the other player wins");
    if (first == 0) end(1, "the move wins, and the answer says that there is none");
    end(42, "a winning move");
}
