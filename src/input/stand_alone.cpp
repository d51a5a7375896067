#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

using Int = __int128;
using Numbers = std::vector<long long>;
using Words = std::vector<std::string>;

struct Range {
    long long lo, hi;
};

static std::string text;
static std::size_t at = 0;
static std::size_t line_start = 0;
static long long line = 1;
static bool first_on_line = true;

[[noreturn]] inline void refuse(const char* expected) {
    std::fprintf(stderr, "line %lld, byte %zu: expected %s\n", line, at - line_start + 1, expected);
    std::exit(REFUSED);
}

// Bytes.

inline void read_all() {
    char part[1 << 16];
    for (std::size_t size; (size = std::fread(part, 1, sizeof part, stdin)) > 0;) text.append(part, size);
}

inline bool take(char byte) {
    bool found = at < text.size() && text[at] == byte;
    at += found;
    return found;
}

inline bool digit() { return at < text.size() && text[at] >= '0' && text[at] <= '9'; }

inline void begin_line() { first_on_line = true; }

inline void end_line() {
    if (!take('\n')) refuse("the end of the line");
    line_start = at;
    ++line;
}

inline void begin_value() {
    if (!first_on_line && !take(' ')) refuse("a space and a value");
    first_on_line = false;
}

// Values.

inline long long integer(Range range) {
    begin_value();
    bool negative = take('-');
    std::size_t start = at;
    Int value = 0;
    while (digit()) {
        value = value * 10 + (text[at++] - '0');
        if (at - start > 19) refuse("a shorter integer");
    }
    if (at == start) refuse("an integer");
    if (text[start] == '0' && (negative || at - start > 1))
        refuse("an integer without leading zeros, and without a sign if it is zero");
    if (negative) value = -value;
    if (value < range.lo || value > range.hi) refuse("an integer in its range");
    return static_cast<long long>(value);
}

// Reads a number with `places` digits after the decimal point, in units of the last digit.
inline long long decimal(std::size_t places, Range range) {
    begin_value();
    bool negative = take('-');
    std::size_t start = at, digits = 0;
    Int value = 0;
    auto run = [&] {
        std::size_t from = at;
        while (digit()) {
            value = value * 10 + (text[at++] - '0');
            if (++digits > 37) refuse("a shorter number");
        }
        return at - from;
    };
    std::size_t whole = run();
    if (whole == 0 || (whole > 1 && text[start] == '0'))
        refuse("a number with digits but no leading zeros before the decimal point");
    if (places > 0 && (!take('.') || run() != places))
        refuse("a number with the declared number of digits after the decimal point");
    if (negative && value == 0) refuse("zero without a minus sign");
    if (negative) value = -value;
    if (value < range.lo || value > range.hi) refuse("a number in its range");
    return static_cast<long long>(value);
}

inline std::string word(const char* letters, Range length) {
    begin_value();
    std::string allowed = letters, found;
    while (at < text.size() && allowed.find(text[at]) != std::string::npos) found += text[at++];
    auto size = static_cast<long long>(found.size());
    if (size < length.lo || size > length.hi) refuse("a word with allowed letters and an allowed length");
    return found;
}

inline long long choice(std::initializer_list<const char*> words) {
    begin_value();
    std::size_t end = std::min(text.find_first_of(" \n\r\t", at), text.size());
    std::string found = text.substr(at, end - at);
    auto place = std::find(words.begin(), words.end(), found);
    if (place == words.end()) refuse("one of the words");
    at = end;
    return place - words.begin();
}

// 128-bit arithmetic. An overflow makes the input invalid.

inline Int fits(bool overflow, Int value) {
    if (overflow) refuse("values whose arithmetic fits in 128 bits");
    return value;
}

inline Int plus(Int a, Int b) {
    Int c = 0;
    bool overflow = __builtin_add_overflow(a, b, &c);
    return fits(overflow, c);
}

inline Int minus(Int a, Int b) {
    Int c = 0;
    bool overflow = __builtin_sub_overflow(a, b, &c);
    return fits(overflow, c);
}

inline Int times(Int a, Int b) {
    Int c = 0;
    bool overflow = __builtin_mul_overflow(a, b, &c);
    return fits(overflow, c);
}

inline Int negative(Int a) { return minus(0, a); }

// Returns the quotient, rounded down.
inline Int over(Int a, Int b) {
    if (b == 0) refuse("a nonzero divisor");
    if (b == -1) return negative(a);
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

// Returns the remainder, which is never negative.
inline Int modulo(Int a, Int b) {
    if (b == 0) refuse("a nonzero divisor");
    if (b == -1) return times(negative(a), 0);
    Int rest = a % b;
    return rest < 0 ? (b < 0 ? rest - b : rest + b) : rest;
}

inline Int power(Int base, Int exponent) {
    if (exponent < 0) refuse("a non-negative exponent");
    if (base == 0 || base == 1) return exponent == 0 ? 1 : base;
    if (base == -1) return exponent % 2 == 0 ? 1 : -1;
    Int result = 1;
    for (; exponent > 0; --exponent) result = times(result, base);
    return result;
}

inline Int least(std::initializer_list<Int> all) { return std::min(all); }

inline Int greatest(std::initializer_list<Int> all) { return std::max(all); }

// Returns the negative of the constant with these digits, which may exceed 64 bits.
inline Int big(const char* digits) {
    Int value = 0;
    for (; *digits; ++digits) value = minus(times(value, 10), *digits - '0');
    return value;
}

// Lists.

// Returns the value in this row, or the only value of a single variable.
inline Int in_row(const Numbers& list, std::size_t row) {
    if (list.empty()) refuse("an expression whose values are all known");
    return row < list.size() ? list[row] : list.back();
}

inline Range within(Int lo, Int hi) {
    const Int edge = Int(1) << 63;
    if (lo > hi || lo < -edge || hi >= edge) refuse("earlier values for which this value has a valid range");
    return {static_cast<long long>(lo), static_cast<long long>(hi)};
}

inline Range letters_within(Int lo, Int hi) {
    if (lo < 1) refuse("earlier values that allow at least one letter here");
    return within(lo, hi);
}

inline Int length(Int count) {
    if (count < 0 || count > Int(1) << 40) refuse("earlier values that give a valid count");
    return count;
}

struct Fold {
    bool some;
    Int value;
};

inline Int value(Fold fold) {
    if (!fold.some) refuse("a non-empty list");
    return fold.value;
}

inline Fold sum(const Numbers& list) {
    Int all = 0;
    for (long long number : list) all += number;
    return {true, all};
}

inline Fold xor_of(const Numbers& list) {
    long long all = 0;
    for (long long number : list) all ^= number;
    return {true, all};
}

inline Fold least_of(const Numbers& list) {
    return list.empty() ? Fold{false, 0} : Fold{true, *std::min_element(list.begin(), list.end())};
}

inline Fold greatest_of(const Numbers& list) {
    return list.empty() ? Fold{false, 0} : Fold{true, *std::max_element(list.begin(), list.end())};
}

inline Fold count(std::size_t size) { return {true, static_cast<Int>(size)}; }

inline Fold count_of(const Numbers& list, Int wanted) {
    return {true, std::count_if(list.begin(), list.end(), [&](long long number) { return number == wanted; })};
}

template <class List>
inline void distinct(const List& list, std::size_t from) {
    List sorted(list.begin() + from, list.end());
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) refuse("distinct values");
}

template <class List>
inline void sorted(const List& list, std::size_t from) {
    if (!std::is_sorted(list.begin() + from, list.end())) refuse("non-decreasing values");
}

inline void permutation(const Numbers& list, std::size_t from, Int least) {
    distinct(list, from);
    Int end = least + static_cast<Int>(list.size() - from);
    for (std::size_t i = from; i < list.size(); ++i)
        if (list[i] < least || list[i] >= end)
            refuse("a permutation of consecutive integers from the least value of the range");
}

// Graphs with edges from u to v. The vertices are all the values of a range.

struct Graph {
    std::vector<std::pair<std::size_t, std::size_t>> edges;
    std::size_t touched;
    Int vertices;
};

inline Graph graph(const Numbers& u, const Numbers& v, std::size_t from, Range range) {
    std::unordered_map<long long, std::size_t> number;
    auto of = [&](long long vertex) { return number.emplace(vertex, number.size()).first->second; };
    Graph found{{}, 0, Int(range.hi) - range.lo + 1};
    for (std::size_t i = from; i < u.size(); ++i) {
        std::size_t a = of(u[i]);
        found.edges.push_back({a, of(v[i])});
    }
    found.touched = number.size();
    return found;
}

inline bool simple(const Graph& graph) {
    auto edges = graph.edges;
    for (auto& edge : edges) {
        if (edge.first == edge.second) return false;
        if (edge.first > edge.second) std::swap(edge.first, edge.second);
    }
    std::sort(edges.begin(), edges.end());
    return std::adjacent_find(edges.begin(), edges.end()) == edges.end();
}

inline bool acyclic(const Graph& graph) {
    std::vector<std::size_t> inward(graph.touched), free;
    std::vector<std::vector<std::size_t>> outward(graph.touched);
    for (auto [a, b] : graph.edges) {
        ++inward[b];
        outward[a].push_back(b);
    }
    for (std::size_t i = 0; i < graph.touched; ++i)
        if (inward[i] == 0) free.push_back(i);
    std::size_t taken = 0;
    while (!free.empty()) {
        std::size_t a = free.back();
        free.pop_back();
        ++taken;
        for (std::size_t b : outward[a])
            if (--inward[b] == 0) free.push_back(b);
    }
    return taken == graph.touched;
}

inline bool connected(const Graph& graph) {
    std::vector<std::size_t> leader(graph.touched);
    for (std::size_t i = 0; i < graph.touched; ++i) leader[i] = i;
    auto lead = [&](std::size_t a) {
        while (leader[a] != a) a = leader[a] = leader[leader[a]];
        return a;
    };
    Int parts = graph.vertices;
    for (auto [a, b] : graph.edges) {
        a = lead(a), b = lead(b);
        parts -= a != b;
        leader[a] = b;
    }
    return parts == 1;
}

inline bool tree(const Graph& graph) {
    return static_cast<Int>(graph.edges.size()) == graph.vertices - 1 && connected(graph);
}

inline void demand(bool holds, const char* clause) {
    if (!holds) refuse(clause);
}
