// Adapts a program of the ICPC protocol to the calling convention of testlib. The arguments are the input, the output
// (which an interactor writes), and the answer. The exit code is 0 for accepted, 1 for a wrong answer and 3 for a failure
// of the program itself. Messages to the judges are printed to standard error.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <string>
#include <system_error>
#include <vector>

namespace bridge {
// Prefix of the files with messages to the judges. They are not placed in a separate folder, because some judges kill a
// program that creates or removes folders. They are read after the program has closed its files.
struct Feedback {
    std::string path;

    Feedback() {
        std::error_code error;
        auto place = std::filesystem::temp_directory_path(error);
        path = (place / ("feedback-" + std::to_string(std::random_device()()) + "-")).string();
    }

    ~Feedback() {
        for (const char *name : {"teammessage.txt", "judgemessage.txt"}) {
            std::ifstream told(path + name);
            if (!told) continue;
            std::string line;
            while (std::getline(told, line)) std::fprintf(stderr, "%s\n", line.c_str());
            told.close();
            std::remove((path + name).c_str());
        }
    }
};
static Feedback feedback;

[[noreturn]] static void end(int code) { std::exit(code == 42 ? 0 : code == 43 ? 1 : 3); }
inline int call(int (*program)(int, char **), int count, char **words) { return program(count, words); }
inline int call(int (*program)(int, const char **), int count, char **words) {
    return program(count, const_cast<const char **>(words));
}
inline int call(int (*program)(), int, char **) { return program(); }
}  // namespace bridge
namespace std {
[[noreturn]] inline void bridge_exit(int code) { bridge::end(code); }
}  // namespace std
using std::bridge_exit;

#define main bridge_main
#define exit bridge_exit
#include "{PROGRAM}"
#undef exit
#undef main

int main(int argc, char **argv) {
    if (argc < 4) {
        std::fprintf(stderr, "expected the arguments INPUT OUTPUT ANSWER\n");
        return 3;
    }
    if ({CHECKER} && !std::freopen(argv[2], "r", stdin)) {
        std::fprintf(stderr, "cannot read %s\n", argv[2]);
        return 3;
    }
    std::vector<std::string> words{argv[0], argv[1], argv[3], bridge::feedback.path{ARGUMENTS}};
    std::vector<char *> pointers;
    for (std::string &word : words) pointers.push_back(&word[0]);
    pointers.push_back(nullptr);
    bridge::end(bridge::call(bridge_main, static_cast<int>(words.size()), pointers.data()));
}
