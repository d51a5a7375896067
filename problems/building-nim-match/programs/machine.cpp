// The interactor of building-nim-match: lets the program choose the first player, and never loses a won
// position. Written in C++ without dependencies, so that other judges can run it.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <numeric>
#include <string>
#include <vector>

using Heights = std::vector<uint64_t>;

// Random numbers that are the same on every machine: SplitMix64.
struct Random {
    uint64_t state;

    uint64_t below(uint64_t bound) {
        state += 0x9E3779B97F4A7C15;
        uint64_t z = (state ^ state >> 30) * 0xBF58476D1CE4E5B9;
        z = (z ^ z >> 27) * 0x94D049BB133111EB;
        return static_cast<uint64_t>(static_cast<unsigned __int128>(z ^ z >> 31) * bound >> 64);
    }
};

static std::string feedback;

// Exits with a message for the judges. Exit code 42 accepts, 43 rejects, any other is a failure of this program.
[[noreturn]] static void end(int code, const std::string &message) {
    std::ofstream(feedback + "judgemessage.txt") << message << "\n";
    std::exit(code);
}

static std::string word() {
    std::string word;
    std::cin >> word;
    return word;
}

// Accepts if the program prints nothing else.
[[noreturn]] static void accept(const std::string &message) {
    std::string more = word();
    if (!more.empty()) end(43, "after the last move it says `" + more.substr(0, 40) + "`");
    end(42, message);
}

// Reads a number of the program in 1..=high.
static uint64_t heard(uint64_t high) {
    std::string said = word();
    uint64_t number = 0;
    for (char digit : said) {
        if (digit < '0' || digit > '9' || number > high) {
            number = 0;
            break;
        }
        number = 10 * number + (digit - '0');
    }
    if (number < 1 || number > high)
        end(43, "expected a number from 1 to " + std::to_string(high) + ", found `" + said.substr(0, 40) + "`");
    return number;
}

static uint64_t nim_sum(const Heights &heights) {
    return std::accumulate(heights.begin(), heights.end(), uint64_t{0}, std::bit_xor<>());
}

// The current position.
struct Position {
    uint64_t tokens;
    Heights heights;

    bool over() const { return tokens + std::accumulate(heights.begin(), heights.end(), uint64_t{0}) == 0; }

    void place(size_t stack) {
        heights[stack]++;
        tokens--;
    }

    Position after_placing(size_t stack) const {
        Position after = *this;
        after.place(stack);
        return after;
    }

    // Whether the player to move wins; the order of stacks does not matter.
    bool won() const {
        static std::map<std::pair<uint64_t, Heights>, bool> known;
        if (tokens == 0) return nim_sum(heights) != 0;
        auto key = std::make_pair(tokens, heights);
        std::sort(key.second.begin(), key.second.end());
        if (auto found = known.find(key); found != known.end()) return found->second;
        return known[key] = winning_place() < heights.size();
    }

    // The first stack on which a token wins; as many as there are stacks if there is none.
    size_t winning_place() const {
        size_t stack = 0;
        while (stack < heights.size() && after_placing(stack).won()) stack++;
        return stack;
    }

    // Makes and prints the machine's move: a winning one if there is one, otherwise any.
    std::string answer(Random &random) {
        if (tokens > 0) {
            size_t stack = winning_place();
            if (stack == heights.size()) stack = random.below(heights.size());
            place(stack);
            return std::to_string(stack + 1);
        }
        auto [stack, amount] = take(random);
        heights[stack] -= amount;
        return std::to_string(stack + 1) + " " + std::to_string(amount);
    }

    std::pair<size_t, uint64_t> take(Random &random) const {
        uint64_t sum = nim_sum(heights);
        std::vector<size_t> full;
        for (size_t stack = 0; stack < heights.size(); stack++) {
            if ((heights[stack] ^ sum) < heights[stack]) return {stack, heights[stack] - (heights[stack] ^ sum)};
            if (heights[stack] > 0) full.push_back(stack);
        }
        size_t stack = full[random.below(full.size())];
        return {stack, 1 + random.below(heights[stack])};
    }

    // Reads a move and makes it.
    void hear(int number) {
        size_t stack = heard(heights.size()) - 1;
        if (tokens > 0) return place(stack);
        uint64_t amount = heard(1000);
        if (amount > heights[stack])
            end(43, "move " + std::to_string(number) + ": stack " + std::to_string(stack + 1) + " is " +
                        std::to_string(heights[stack]) + " high, and " + std::to_string(amount) + " are taken");
        heights[stack] -= amount;
    }
};

int main(int, char **args) {
    std::ifstream input(args[1]);
    feedback = args[3];
    uint64_t tokens;
    size_t stacks;
    if (!(input >> tokens >> stacks)) end(1, "there is no input");
    Position position{tokens, Heights(stacks)};
    for (uint64_t &height : position.heights) input >> height;
    if (!input) end(1, "the input ends too soon");

    Random random{tokens};
    std::cout << tokens << " " << stacks << "\n";
    for (size_t stack = 0; stack < stacks; stack++) {
        random.state = random.state * 31 + position.heights[stack];
        std::cout << position.heights[stack] << (stack + 1 < stacks ? " " : "\n");
    }
    std::cout << std::flush;

    std::string side = word();
    if (side != "first" && side != "second")
        end(43, "expected `first` or `second`, found `" + side.substr(0, 40) + "`");
    bool its_turn = side == "first";
    std::string mistake = position.won() != its_turn ? "it chose the wrong side" : "";
    for (int number = 1; !position.over(); number++, its_turn = !its_turn) {
        if (!its_turn) {
            std::cout << position.answer(random) << std::endl;
            continue;
        }
        position.hear(number);
        if (mistake.empty() && position.won()) mistake = "move " + std::to_string(number) + " gave the win away";
    }
    if (its_turn) end(43, "the machine moves last; " + mistake);
    accept("won");
}
