// Traces the process that started it.
// expect A B C: syscall
#include "attack.h"
#include <sys/ptrace.h>

int main(int argc, char **argv) {
    (void)argc, (void)argv;
    must_fail("a trace of the parent", ptrace(PTRACE_ATTACH, getppid(), 0, 0));
    must_fail("a trace of process 1", ptrace(PTRACE_SEIZE, 1, 0, 0));
    must_fail("being traced", ptrace(PTRACE_TRACEME, 0, 0, 0));
    return 0;
}
