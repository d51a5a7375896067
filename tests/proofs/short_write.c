/* Runs a command and lets the kernel write fewer bytes than asked at one call, or at all.
 *
 *     short_write CALL half|byte NUMBER COMMAND...
 *
 * CALL is `write`, `pwrite64`, `writev`, `copy_file_range` or `sendfile`. The call with this NUMBER, of all tasks of the command,
 * writes half of its bytes, or one. With the number 0 all such calls are short. The last line on standard error is the number
 * of calls that could be short.
 *
 * The count of the call is changed in the registers of the task before the kernel reads it, so that what is written and what
 * is returned agree, whichever library made the call. Only calls that a kernel may cut are changed: on files, on stream
 * sockets, and of more than PIPE_BUF bytes on pipes. Files of /proc and /sys and event counters take a value as a whole.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct { const char *name; long number; } CALLS[] = {
    {"write", SYS_write}, {"pwrite64", SYS_pwrite64}, {"writev", SYS_writev},
    {"copy_file_range", SYS_copy_file_range}, {"sendfile", SYS_sendfile},
};
static long call = -1, wanted, seen;
static int one_byte;

static void stop(const char *what) {
    perror(what);
    exit(125);
}

/* Returns whether a kernel may write fewer than `bytes` bytes to this descriptor of a task. */
static int may_be_short(pid_t task, long descriptor, unsigned long bytes) {
    char path[64], name[PATH_MAX];
    struct stat about;
    snprintf(path, sizeof path, "/proc/%d/fd/%ld", (int)task, descriptor);
    long length = readlink(path, name, sizeof name - 1);
    if (bytes < 2 || length < 0 || stat(path, &about) != 0) return 0;
    name[length] = 0;
    if (S_ISFIFO(about.st_mode)) return bytes > PIPE_BUF;
    if (S_ISSOCK(about.st_mode)) return 1;
    return S_ISREG(about.st_mode) && strncmp(name, "/proc/", 6) != 0 && strncmp(name, "/sys/", 5) != 0;
}

/* Changes the call that a task is about to make, if it is the wanted one. */
static void at_call(pid_t task) {
    struct user_regs_struct regs;
    if (ptrace(PTRACE_GETREGS, task, 0, &regs) != 0 || (long)regs.orig_rax != call) return;
    struct iovec first = {0};
    unsigned long long *count = &regs.rdx, descriptor = regs.rdi;
    if (call == SYS_copy_file_range) count = &regs.r8, descriptor = regs.rdx;
    if (call == SYS_sendfile) count = &regs.r10;
    if (call == SYS_writev) {
        struct iovec here = {&first, sizeof first}, there = {(void *)regs.rsi, sizeof first};
        if (process_vm_readv(task, &here, 1, &there, 1, 0) != sizeof first) return;
        count = (unsigned long long *)&first.iov_len;
    }
    if (!may_be_short(task, (long)descriptor, *count)) return;
    seen++;
    if (wanted != 0 && wanted != seen) return;
    *count = one_byte ? 1 : *count / 2;
    if (call == SYS_writev) {
        /* A part of the first buffer, written by the simpler call. */
        regs.orig_rax = SYS_write;
        regs.rsi = (unsigned long long)first.iov_base;
        regs.rdx = first.iov_len;
    }
    if (ptrace(PTRACE_SETREGS, task, 0, &regs) != 0 && errno != ESRCH) stop("PTRACE_SETREGS");
}

int main(int argc, char **argv) {
    if (argc < 5) return fprintf(stderr, "usage: short_write CALL half|byte NUMBER COMMAND...\n"), 125;
    for (size_t at = 0; at < sizeof CALLS / sizeof *CALLS; at++)
        if (strcmp(CALLS[at].name, argv[1]) == 0) call = CALLS[at].number;
    if (call < 0) return fprintf(stderr, "unknown call `%s`\n", argv[1]), 125;
    one_byte = strcmp(argv[2], "byte") == 0;
    wanted = atol(argv[3]);
    int ready[2];
    if (pipe(ready) != 0) stop("pipe");
    pid_t command = fork();
    if (command < 0) stop("fork");
    if (command == 0) {
        char go;
        close(ready[1]);
        if (read(ready[0], &go, 1) != 1) _exit(125);
        close(ready[0]);
        execvp(argv[4], argv + 4);
        _exit(127);
    }
    close(ready[0]);
    long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE
                   | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
    if (ptrace(PTRACE_SEIZE, command, 0, options) != 0) stop("PTRACE_SEIZE");
    if (ptrace(PTRACE_INTERRUPT, command, 0, 0) != 0) stop("PTRACE_INTERRUPT");
    if (write(ready[1], "", 1) != 1) stop("write");
    close(ready[1]);
    int code = 125, status;
    for (pid_t task; (task = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR;) {
        if (task < 0) continue;
        if (!WIFSTOPPED(status)) {
            if (task == command) code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            continue;
        }
        int signal = WSTOPSIG(status), event = status >> 16, deliver = 0;
        if (signal == (SIGTRAP | 0x80)) {
            struct __ptrace_syscall_info info;
            if (ptrace(PTRACE_GET_SYSCALL_INFO, task, sizeof info, &info) > 0 && info.op == PTRACE_SYSCALL_INFO_ENTRY)
                at_call(task);
        } else if (event == PTRACE_EVENT_STOP && signal != SIGTRAP) {
            ptrace(PTRACE_LISTEN, task, 0, 0);
            continue;
        } else if (event == 0) {
            deliver = signal;
        }
        ptrace(PTRACE_SYSCALL, task, 0, (long)deliver);
    }
    fprintf(stderr, "\n%ld\n", seen);
    return code;
}
