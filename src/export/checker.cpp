#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

// Reads all text. Upper case is converted to lower case if case is ignored.
static std::string all(std::istream&& in) {
    std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (FOLD_CASE)
        for (char& c : text)
            if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
    return text;
}

static bool space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static std::vector<std::string> tokens(const std::string& text) {
    std::vector<std::string> found;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && !space(text[end])) ++end;
        if (end > at) found.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return found;
}

// Splits a text into lines without trailing white space. Empty lines at the end of the text, or everywhere if
// `anywhere` is set, are dropped.
static std::vector<std::string> lines(const std::string& text, bool anywhere) {
    std::vector<std::string> found;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = std::min(text.find('\n', at), text.size());
        std::string line = text.substr(at, end - at);
        while (!line.empty() && space(line.back())) line.pop_back();
        if (!anywhere || !line.empty()) found.push_back(line);
        at = end + 1;
    }
    while (!found.empty() && found.back().empty()) found.pop_back();
    return found;
}

// Parses a decimal number with an optional exponent. Hexadecimal numbers, `nan` and `inf` are rejected.
static bool number(const std::string& token, double& value) {
    const char* at = token.c_str();
    auto digits = [&] {
        int count = 0;
        for (; *at >= '0' && *at <= '9'; ++at) ++count;
        return count;
    };
    if (*at == '+' || *at == '-') ++at;
    int before = digits(), after = 0;
    if (*at == '.') ++at, after = digits();
    if (before + after == 0) return false;
    if (*at == 'e' || *at == 'E') {
        ++at;
        if (*at == '+' || *at == '-') ++at;
        if (digits() == 0) return false;
    }
    if (*at != 0 || std::strlen(token.c_str()) != token.size()) return false;
    value = std::strtod(token.c_str(), nullptr);
    return std::isfinite(value);
}

static bool close(const std::string& expected, const std::string& actual) {
    double a = 0, b = 0;
    if (expected == actual) return true;
    if (!number(expected, a) || !number(actual, b)) return false;
    double off = std::fabs(a - b);
    return off == 0 || off <= ABSOLUTE || off <= RELATIVE * std::fabs(a);
}

static bool same(const std::string& expected, const std::string& actual) {
    switch (RULE) {
        case EXACT: return expected == actual;
        case LINES: return lines(expected, false) == lines(actual, false);
        case TOKENS: return tokens(expected) == tokens(actual);
        case NUMBERS: {
            auto a = tokens(expected), b = tokens(actual);
            return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), close);
        }
        case UNORDERED: {
            auto a = lines(expected, true), b = lines(actual, true);
            std::sort(a.begin(), a.end());
            std::sort(b.begin(), b.end());
            return a == b;
        }
    }
    return false;
}
