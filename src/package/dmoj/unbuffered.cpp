// Disables the buffers of `stdout` and `cout` before `main` runs. The flag of `cout` remains set after
// `sync_with_stdio(false)`.
#include <cstdio>
#include <iostream>

static struct NimatronUnbuffered {
    NimatronUnbuffered() {
        std::setvbuf(stdout, nullptr, _IONBF, 0);
        std::cout << std::unitbuf;
    }
} nimatron_unbuffered;
