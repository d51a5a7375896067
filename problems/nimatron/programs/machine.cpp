// The interactor of nimatron: plays Nim against the program, which begins, and never loses a won position.
// Written in C++ without dependencies, so that other judges can run it.

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

using Heaps = std::vector<uint64_t>;

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

static uint64_t nim_sum(const Heaps &heaps) {
    return std::accumulate(heaps.begin(), heaps.end(), uint64_t{0}, std::bit_xor<>());
}

static bool empty(const Heaps &heaps) {
    return std::accumulate(heaps.begin(), heaps.end(), uint64_t{0}) == 0;
}

// The machine's move: a winning one if there is one, otherwise one of its weaker strategies.
static std::pair<size_t, uint64_t> answer(const Heaps &heaps, const std::string &way, Random &random) {
    uint64_t sum = nim_sum(heaps);
    std::vector<size_t> full;
    for (size_t heap = 0; heap < heaps.size(); heap++) {
        if ((heaps[heap] ^ sum) < heaps[heap]) return {heap, heaps[heap] - (heaps[heap] ^ sum)};
        if (heaps[heap] > 0) full.push_back(heap);
    }
    size_t heap = full[random.below(full.size())];
    if (way == "slow") return {heap, 1};
    return {heap, way == "quick" ? heaps[heap] : 1 + random.below(heaps[heap])};
}

int main(int, char **args) {
    std::ifstream input(args[1]);
    feedback = args[3];
    size_t n;
    std::string way;
    if (!(input >> n)) end(1, "there is no input");
    Heaps heaps(n);
    for (uint64_t &heap : heaps) input >> heap;
    if (!(input >> way)) end(1, "the input ends too soon");

    Random random{way == "slow" ? uint64_t{0} : way == "quick" ? uint64_t{1} : uint64_t{2}};
    std::cout << n << "\n";
    for (size_t heap = 0; heap < n; heap++) {
        random.state = random.state * 307 + heaps[heap];
        std::cout << heaps[heap] << (heap + 1 < n ? " " : "\n");
    }
    std::cout << std::flush;

    std::string mistake;
    for (int number = 1;; number++) {
        size_t heap = heard(n) - 1;
        uint64_t amount = heard(300);
        std::string move = std::to_string(amount) + " from heap " + std::to_string(heap + 1);
        if (amount > heaps[heap]) {
            std::string holds = ", which holds " + std::to_string(heaps[heap]) + " stones";
            end(43, "move " + std::to_string(number) + ": " + move + holds);
        }
        heaps[heap] -= amount;
        if (empty(heaps)) accept("won in " + std::to_string(number) + " moves");
        if (mistake.empty() && nim_sum(heaps) != 0)
            mistake = "its move " + std::to_string(number) + ", " + move + ", gave the win away";
        auto [at, taken] = answer(heaps, way, random);
        heaps[at] -= taken;
        std::cout << at + 1 << " " << taken << std::endl;
        if (empty(heaps)) end(43, "the machine takes the last stone; " + mistake);
    }
}
