/*
 * Records the dialogue of an interactor with the judged program. It is linked to interactors in C, C++ and Rust, and is
 * compiled as C or C++.
 *
 * It defines `read`, `write` and similar functions. The linker replaces the calls of these functions in the C library, where
 * they have other names, by calls of the functions with the prefix `__wrap_`. If the judge sets the environment variable NIMATRON_DIALOGUE, these functions copy what is read from standard input
 * and written to standard output to a file that is mapped into memory, which `recorder.rs` reads after the run. The
 * pipes can then connect the interactor and the program without a process between them.
 *
 * A system call filter kills the interactor with SIGSYS if it uses the two pipes in a way that is not recorded, and if it
 * starts a process. The judge then runs it again, without the variable.
 *
 * `recorder.rs` defines the macros VERSION, HEADER_BYTES, SEGMENT_BYTES and SEGMENTS, which describe the layout of the file,
 * and the filter: FILTER and TAG.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The largest piece of data in one record. */
#define PIECE_BYTES 65536
/* The file grows in steps, because the judge reads all of it. */
#define FIRST_BYTES 8192
#define STEP_BYTES 65536
/* The number of times that a thread waits for another one to add a record. */
#define TRIES_MAX 10000

enum side { PROGRAM, INTERACTOR };

struct header {
    /* VERSION, once the dialogue is recorded. */
    uint64_t version;
    /* 1 + the side that exceeded its output limit; 0 if none did. */
    uint64_t flooded;
    /* The number of bytes that each side wrote. */
    uint64_t bytes[2];
    /* The number of bytes used in each segment. The first one holds the beginning of the dialogue, and the other two hold
       its end: the older one is emptied when the newer one is full. */
    uint64_t used[SEGMENTS];
    /* The segment to which the last record was added. */
    uint64_t current;
    /* The time at which the interactor read the end of the program's output; 0 if it did not. */
    uint64_t program_end;
    /* The time of the first output that the program could not receive, because it had closed its input; 0 if there is none. */
    uint64_t lost_output;
    /* 1 if the program had not ended when the interactor exited. */
    uint64_t exited_first;
};

/* A record in a segment. The data follows, and zeros up to a multiple of 8 bytes. */
struct record {
    uint64_t nanoseconds;
    uint32_t side;
    uint32_t size;
};

/* The file, or a null pointer if the dialogue is not recorded. */
static char *file_start;
static struct header *header;
static char path[PATH_MAX];
/* The size of the file, in bytes. */
static uint64_t file_bytes;
/* The output limits of the two sides, in bytes. */
static uint64_t limits[2];
/* Whether the interactor closed standard input. The descriptor may then denote another file. */
static int is_input_closed;
/* Whether there is no space for further records. */
static int is_full;
static char is_locked;
/* A copy of the descriptor of standard input, which the interactor may close. */
static int input_copy = -1;
/* Whether this thread is adding a record, so that it must not be interrupted by a signal handler that does the same. */
static __thread int is_adding;

ssize_t __real___read(int descriptor, void *buffer, size_t size);
ssize_t __real___write(int descriptor, const void *buffer, size_t size);
ssize_t __real___readv(int descriptor, const struct iovec *parts, int count);
ssize_t __real___writev(int descriptor, const struct iovec *parts, int count);
int __real___close(int descriptor);
void __real__exit(int code) __attribute__((noreturn));
int __real_pthread_cancel(pthread_t thread) __attribute__((weak));

/* The interactor may define functions with the names of others of the C library, so few of these are called here. */

/* Makes a system call that is recorded. */
static ssize_t tagged(long call, long descriptor, const void *data, size_t size) {
    return syscall(call, descriptor, data, size, 0L, 0L, (long)TAG);
}

/* Ends the process by a system call that the filter does not allow, so that the judge runs the interactor again. */
static void give_up(void) { syscall(SYS_write, (long)STDOUT_FILENO, NULL, 0L, 0L, 0L, 0L); }

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* Opens the file. */
static int open_file(void) {
    return (int)syscall(SYS_openat, (long)AT_FDCWD, path, (long)(O_RDWR | O_CREAT | O_CLOEXEC), 0644L);
}

/* Extends the file, without which an access would be a bus error. */
static int extend(int file, uint64_t bytes) {
    if (syscall(SYS_fallocate, file, 0, (off_t)0, (off_t)bytes) != 0) return 0;
    file_bytes = bytes;
    return 1;
}

/* Reserves space for the first `bytes` bytes of the file. */
static int reserve(uint64_t bytes) {
    if (bytes <= file_bytes) return 1;
    int file = open_file();
    if (file < 0) return 0;
    int is_extended = extend(file, (bytes + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES);
    syscall(SYS_close, file);
    return is_extended;
}

static void add_piece(int side, const char *data, size_t size, uint64_t time) {
    uint64_t needed = sizeof(struct record) + (size + 7) / 8 * 8;
    if (header->used[header->current] + needed > SEGMENT_BYTES) {
        uint64_t next = header->current == 1 ? 2 : 1;
        header->used[next] = 0;
        header->current = next;
    }
    uint64_t used = header->used[header->current];
    uint64_t start = HEADER_BYTES + header->current * SEGMENT_BYTES + used;
    if (is_full || !reserve(start + needed)) {
        is_full = 1;
        return;
    }
    struct record *record = (struct record *)(file_start + start);
    record->nanoseconds = time;
    record->side = (uint32_t)side;
    record->size = (uint32_t)size;
    memcpy(record + 1, data, size);
    __atomic_store_n(&header->used[header->current], used + needed, __ATOMIC_RELEASE);
}

/* Records the first `size` bytes of data that a side wrote. Returns 0 if the side thereby exceeds its output limit. */
static int add(int side, const struct iovec *parts, size_t size, uint64_t time) {
    if (is_adding) {
        /* A signal handler interrupted this function. */
        __atomic_add_fetch(&header->bytes[side], size, __ATOMIC_RELAXED);
        return 1;
    }
    is_adding = 1;
    /* A signal handler may have left this function by a jump, so that the lock is never released. */
    for (int tries = 0; __atomic_test_and_set(&is_locked, __ATOMIC_ACQUIRE) && tries < TRIES_MAX; tries++) sched_yield();
    int is_within = __atomic_add_fetch(&header->bytes[side], size, __ATOMIC_RELAXED) <= limits[side];
    if (!is_within) header->flooded = 1 + (uint64_t)side;
    for (; size > 0; parts++) {
        const char *data = (const char *)parts->iov_base;
        size_t rest = parts->iov_len < size ? parts->iov_len : size;
        size -= rest;
        while (rest > 0) {
            size_t piece = rest < PIECE_BYTES ? rest : PIECE_BYTES;
            add_piece(side, data, piece, time);
            data += piece;
            rest -= piece;
        }
    }
    __atomic_clear(&is_locked, __ATOMIC_RELEASE);
    is_adding = 0;
    return is_within;
}

/* Records what a system call read from standard input, and returns its result. */
static ssize_t after_read(ssize_t count, const struct iovec *parts) {
    if (is_input_closed) return count;
    if (count == 0 && header->program_end == 0) header->program_end = now();
    if (count > 0 && !add(PROGRAM, parts, (size_t)count, now())) return 0;
    return count;
}

/* Records what a system call wrote to standard output from `time` on, and returns its result. */
static ssize_t after_write(ssize_t count, const struct iovec *parts, int parts_count, uint64_t time) {
    if (count < 0 && errno == EPIPE) {
        /* The program has ended, which the interactor need not notice. */
        if (header->lost_output == 0) header->lost_output = time;
        count = 0;
        for (int part = 0; part < parts_count; part++) count += (ssize_t)parts[part].iov_len;
    }
    if (count > 0 && !add(INTERACTOR, parts, (size_t)count, time)) _exit(1);
    return count;
}

static int is_recorded(int descriptor, int recorded) { return header != NULL && descriptor == recorded; }

ssize_t read(int descriptor, void *buffer, size_t size) {
    if (!is_recorded(descriptor, STDIN_FILENO) || size == 0) return __real___read(descriptor, buffer, size);
    /* Output above the limit is not delivered. */
    if (header->flooded) return 0;
    struct iovec part = {buffer, size};
    return after_read(tagged(SYS_read, STDIN_FILENO, buffer, size), &part);
}

ssize_t readv(int descriptor, const struct iovec *parts, int count) {
    if (!is_recorded(descriptor, STDIN_FILENO)) return __real___readv(descriptor, parts, count);
    if (header->flooded) return 0;
    size_t wanted = 0;
    for (int part = 0; part < count; part++) wanted += parts[part].iov_len;
    ssize_t result = tagged(SYS_readv, STDIN_FILENO, parts, (size_t)count);
    return wanted > 0 ? after_read(result, parts) : result;
}

ssize_t write(int descriptor, const void *buffer, size_t size) {
    if (!is_recorded(descriptor, STDOUT_FILENO)) return __real___write(descriptor, buffer, size);
    /* The program may be blocked, since nobody reads its output. */
    if (is_input_closed) give_up();
    uint64_t time = now();
    struct iovec part = {(void *)buffer, size};
    return after_write(tagged(SYS_write, STDOUT_FILENO, buffer, size), &part, 1, time);
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
    if (!is_recorded(descriptor, STDOUT_FILENO)) return __real___writev(descriptor, parts, count);
    if (is_input_closed) give_up();
    uint64_t time = now();
    return after_write(tagged(SYS_writev, STDOUT_FILENO, parts, (size_t)count), parts, count, time);
}

int close(int descriptor) {
    if (is_recorded(descriptor, STDIN_FILENO)) is_input_closed = 1;
    return __real___close(descriptor);
}

/* The names by which the C library calls the same functions. */
ssize_t __wrap___read(int descriptor, void *buffer, size_t size) { return read(descriptor, buffer, size); }
ssize_t __wrap___write(int descriptor, const void *buffer, size_t size) { return write(descriptor, buffer, size); }
ssize_t __wrap___readv(int descriptor, const struct iovec *parts, int count) { return readv(descriptor, parts, count); }
ssize_t __wrap___writev(int descriptor, const struct iovec *parts, int count) {
    return writev(descriptor, parts, count);
}
int __wrap___close(int descriptor) { return close(descriptor); }
int __wrap___close_nocancel(int descriptor) { return close(descriptor); }

/* Records whether the program has ended. The judge learns of the end of the interactor later. `exit` calls this function. */
void __wrap__exit(int code) {
    struct pollfd input = {input_copy, POLLIN, 0};
    struct timespec at_once = {0, 0};
    if (header != NULL && input_copy >= 0 && syscall(SYS_ppoll, &input, 1L, &at_once, NULL, 0L) >= 0 &&
        (input.revents & (POLLHUP | POLLNVAL)) == 0)
        header->exited_first = 1;
    __real__exit(code);
}
void __wrap__Exit(int code) { __wrap__exit(code); }

/* The functions that are recorded are not cancellation points. */
int __wrap_pthread_cancel(pthread_t thread) {
    if (header != NULL) give_up();
    return __real_pthread_cancel(thread);
}

/* Installs the filter of `recorder_filter.rs`. */
static int install_filter(void) {
    static struct sock_filter filter[] = FILTER;
    struct sock_fprog program;
    program.len = sizeof(filter) / sizeof(filter[0]);
    program.filter = filter;
    return prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L) == 0 &&
           prctl(PR_SET_SECCOMP, (long)SECCOMP_MODE_FILTER, &program) == 0;
}

/* Maps the file whose path follows the two output limits in the environment variable. */
static int map_file(const char *value) {
    char *end;
    limits[PROGRAM] = strtoull(value, &end, 10);
    limits[INTERACTOR] = strtoull(end + 1, &end, 10);
    if (*end != ' ' || strlen(end + 1) >= sizeof(path)) return 0;
    strcpy(path, end + 1);
    int file = open_file();
    if (file < 0 || !extend(file, FIRST_BYTES)) return 0;
    void *start =
        mmap(NULL, HEADER_BYTES + SEGMENTS * SEGMENT_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    syscall(SYS_close, file);
    if (start == MAP_FAILED) return 0;
    file_start = (char *)start;
    return 1;
}

/* Begins to record before `main` and before other constructors. If this is not possible, the process ends, and the judge
   runs the interactor again without the variable. */
__attribute__((constructor(101))) static void begin_record(void) {
    const char *value = getenv("NIMATRON_DIALOGUE");
    if (value == NULL) return;
    /* The interactor has few descriptors, so that it does not notice this one. */
    input_copy = (int)syscall(SYS_fcntl, (long)STDIN_FILENO, (long)F_DUPFD_CLOEXEC, 900L);
    if (!map_file(value) || !install_filter()) _exit(1);
    /* A write after the end of the program would otherwise end the interactor. */
    sigset_t pipe_signal;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    sigprocmask(SIG_BLOCK, &pipe_signal, NULL);
    header = (struct header *)file_start;
    header->version = VERSION;
}

#ifdef __cplusplus
}
#endif
