// Runs before `main`: what the program prints leaves it at once, in whichever way it prints. What `cout` is told here
// stays when it parts from `stdout`.
#include <cstdio>
#include <iostream>

static struct NimatronUnbuffered {
    NimatronUnbuffered() {
        std::setvbuf(stdout, nullptr, _IONBF, 0);
        std::cout << std::unitbuf;
    }
} nimatron_unbuffered;
