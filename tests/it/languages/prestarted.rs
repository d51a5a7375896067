//! Tests of prestarted programs: a forked run is like an executed one, and no run learns anything from an earlier one.

use nimatron::model::TimeSpan;

use super::*;

/// Reports what a program can observe, one line each. The last line is random for each process that was executed, and the
/// same for its forks.
const OBSERVER: &str = r#"
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
static int constructed, handled;
__attribute__((constructor)) static void construct(void) { constructed++; }
static void handle(int signal) { handled++; }
static void *thread(void *count) { ++*(int *)count; return 0; }
int main(int argc, char **argv) {
    int number = 0, count = 0;
    if (scanf("%d", &number) != 1) number = -1;
    printf("number %d, constructed %d\n", number, constructed);
    for (int i = 0; i < argc; i++) printf("argument %s\n", argv[i]);
    for (char **entry = environ; *entry; entry++) printf("variable %s\n", *entry);
    char folder[1000];
    printf("folder %s, mask %o\n", getcwd(folder, sizeof folder), umask(0));
    for (int i = 0; i < 1024; i++) if (fcntl(i, F_GETFD) >= 0) printf("descriptor %d %d\n", i, fcntl(i, F_GETFD));
    printf("ids %d %d %d %d\n", getpid() == gettid(), getpgid(0) == getpid(), getppid(), getsid(0) == getpid());
    printf("dumpable %d, user %d %d\n", prctl(PR_GET_DUMPABLE), getuid(), getgid());
    printf("nice %d, cpus %d\n", getpriority(PRIO_PROCESS, 0), sched_getcpu() >= 0);
    sigset_t blocked;
    sigprocmask(SIG_BLOCK, 0, &blocked);
    for (int i = 1; i < 64; i++) {
        struct sigaction action;
        sigaction(i, 0, &action);
        if (sigismember(&blocked, i) || (action.sa_handler != SIG_DFL && i != 32 && i != 33)) printf("signal %d\n", i);
    }
    for (int i = 0; i < RLIM_NLIMITS; i++) {
        struct rlimit limit;
        getrlimit(i, &limit);
        // A prestarted process counts as a process, so this limit is larger by one.
        if (i != RLIMIT_NPROC) printf("limit %d %lu %lu\n", i, limit.rlim_cur, limit.rlim_max);
    }
    signal(SIGUSR1, handle);
    raise(SIGUSR1);
    // The kernel checks the thread id in this mutex.
    pthread_mutexattr_t kind;
    pthread_mutex_t mutex;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_setprotocol(&kind, PTHREAD_PRIO_INHERIT);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&mutex, &kind);
    printf("mutex %d %d %d\n", pthread_mutex_lock(&mutex), pthread_mutex_lock(&mutex) == EDEADLK, pthread_mutex_unlock(&mutex));
    void *head = 0;
    size_t length = 0;
    printf("robust %ld %d %zu\n", syscall(SYS_get_robust_list, 0, &head, &length), head != 0, length);
    pthread_t other;
    pthread_create(&other, 0, thread, &count);
    pthread_join(other, 0);
    int status = -1;
    pid_t child = fork();
    if (!child) _exit(7);
    waitpid(child, &status, 0);
    printf("handled %d, threads %d, child %d\n", handled, count, WEXITSTATUS(status));
    fprintf(stderr, "error\n");
    unsigned char *random = (unsigned char *)getauxval(AT_RANDOM);
    for (int i = 0; i < 16; i++) printf("%02x", random[i]);
    printf("\n");
    return 3;
}
"#;

/// Code that runs before the start hook and tries to keep `state` for later runs in one of several ways, and a program that
/// prints the number of the run that it derives from the state, and then the random number of its executed process.
const STATEFUL: &str = r#"
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <linux/un.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
// The C library is not initialized when the code runs.
static long call(long number, long a, long b, long c, long d, long e, long f) {
    long result;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
        : "rcx", "r11", "memory");
    return result;
}
static volatile int own;
static volatile int *state = &own;
static int kept = -1;
static int mapped(long flags, int file) {
    state = (int *)call(SYS_mmap, 0, 4096, PROT_READ | PROT_WRITE, flags, file, 0);
    return 0;
}
static char stack[1 << 14] __attribute__((aligned(16)));
static void handler(int signal) { own++; }
static void restore(void) { __asm__ volatile("syscall" : : "a"(SYS_rt_sigreturn)); }
static void before(void) {
    char peeked[8];
    // An executed run is as usual.
    if (call(SYS_recvfrom, 3, (long)peeked, 8, MSG_PEEK | MSG_DONTWAIT, 0, 0) != 8) return;
#if WAY == 1 // memory that is shared with forks
    mapped(MAP_SHARED | MAP_ANONYMOUS, -1);
#elif WAY == 2 // memory of a file
    int file = call(SYS_open, (long)"/tmp/state", O_RDWR | O_CREAT, 0600, 0, 0, 0);
    call(SYS_ftruncate, file, 4096, 0, 0, 0, 0);
    mapped(MAP_PRIVATE, file);
    kept = file;
#elif WAY == 3 || WAY == 10 // a descriptor
    kept = call(SYS_memfd_create, (long)"state", 0, 0, 0, 0, 0);
    call(SYS_ftruncate, kept, 4096, 0, 0, 0, 0);
#if WAY == 10 // a filter by which descriptors are not closed
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_close_range, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = { 4, filter };
    call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, (long)&program, 0, 0, 0);
#endif
#elif WAY == 4 || WAY == 5 // a process or a thread that changes the memory
    long flags = WAY == 4 ? CLONE_VM | SIGCHLD : CLONE_VM | CLONE_SIGHAND | CLONE_THREAD;
    long child;
    __asm__ volatile("syscall\n test %%rax, %%rax\n jnz 1f\n 2: lock incl %2\n mov $24, %%eax\n syscall\n jmp 2b\n 1:"
        : "=a"(child) : "a"(SYS_clone), "m"(own), "D"(flags), "S"(stack + sizeof stack), "d"(0) : "rcx", "r11", "memory");
#elif WAY == 6 // a signal handler
    struct { void (*handler)(int); unsigned long flags; void (*restore)(void); unsigned long mask; }
        action = { handler, 0x04000000, restore, 0 };
    call(SYS_rt_sigaction, SIGUSR1, (long)&action, 0, 8, 0, 0);
#elif WAY == 7 // CPU time that does not count
    struct timespec time;
    do call(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, (long)&time, 0, 0, 0, 0); while (time.tv_nsec < 30000000);
#elif WAY == 8 // an imitation of the hook
    char message[64];
    struct iovec part = { message, 1 };
    struct msghdr header = { 0, 0, &part, 1, message + 8, 56, 0 };
    if (call(SYS_recvfrom, 3, (long)message, 8, MSG_DONTWAIT, 0, 0) == 8) {
        call(SYS_sendto, 3, (long)message, 1, 0, 0, 0);
        for (int runs = 1; call(SYS_recvmsg, 3, (long)&header, 0, 0, 0, 0) == 1; runs++) {
            if (!call(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0, 0)) {
                int pid = call(SYS_getpid, 0, 0, 0, 0, 0, 0);
                call(SYS_sendto, 3, (long)&pid, 4, 0, 0, 0);
                for (int i = 0; i < 3; i++) call(SYS_dup2, 3 + 1 + i, i, 0, 0, 0, 0);
                own = runs;
                return;
            }
        }
        call(SYS_exit_group, 0, 0, 0, 0, 0, 0);
    }
#elif WAY == 9 // other requests than those of the cell
    int pair[2];
    char greeting[8];
    if (call(SYS_recvfrom, 3, (long)greeting, 8, MSG_DONTWAIT, 0, 0) == 8) {
        call(SYS_sendto, 3, (long)greeting, 1, 0, 0, 0);
        call(SYS_socketpair, AF_UNIX, SOCK_SEQPACKET, 0, (long)pair, 0, 0);
        call(SYS_dup2, pair[0], 3, 0, 0, 0, 0);
        call(SYS_sendto, pair[1], (long)"nimatron", 8, 0, 0, 0);
    }
#elif WAY == 11 // closed standard streams, whose numbers the descriptors of a run would get
    for (int i = 0; i < 3; i++) call(SYS_close, i, 0, 0, 0, 0, 0);
#elif WAY == 12 // CPU time of a process that has ended
    long child;
    __asm__ volatile("syscall" : "=a"(child) : "a"(SYS_clone), "D"(CLONE_VM | CLONE_VFORK | SIGCHLD), "S"(0), "d"(0)
        : "rcx", "r11", "memory");
    struct timespec time;
    if (child == 0) {
        do call(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, (long)&time, 0, 0, 0, 0); while (time.tv_nsec < 30000000);
        call(SYS_exit, 0, 0, 0, 0, 0, 0);
    }
    call(SYS_wait4, child, 0, 0, 0, 0, 0);
#elif WAY == 13 // timers that stop the process
    for (int i = 0; i < 400; i++) {
        long event[8] = { 0, SIGSTOP };
        long timer = 0, times[4] = { 0, 0, 0, 2000000 + 25000 * i };
        call(SYS_timer_create, CLOCK_MONOTONIC, (long)event, (long)&timer, 0, 0, 0);
        call(SYS_timer_settime, timer, 0, (long)times, 0, 0, 0);
    }
#elif WAY == 14 // a socket to which runs can send further sockets, which keep their names
    int pair[2];
    struct sockaddr_un name = { AF_UNIX, { 0, 'x' } }, none = { AF_UNSPEC };
    call(SYS_socketpair, AF_UNIX, SOCK_DGRAM, 0, (long)pair, 0, 0);
    call(SYS_connect, pair[0], (long)&none, sizeof none, 0, 0, 0);
    call(SYS_bind, pair[0], (long)&name, 4, 0, 0, 0);
    call(SYS_dup2, pair[0], 0, 0, 0, 0, 0);
    call(SYS_close, pair[0], 0, 0, 0, 0, 0);
    call(SYS_close, pair[1], 0, 0, 0, 0, 0);
#elif WAY == 15 // a removed working directory, whose times runs can change
    call(SYS_mkdir, (long)"/tmp/state", 0777, 0, 0, 0, 0);
    call(SYS_chdir, (long)"/tmp/state", 0, 0, 0, 0, 0);
#elif WAY == 16 || WAY == 17 // blocked or ignored signals
    unsigned long all = ~0UL;
    long ignored[4] = { 1, 0, 0, 0 };
    if (WAY == 16) call(SYS_rt_sigprocmask, SIG_BLOCK, (long)&all, 0, 8, 0, 0);
    else call(SYS_rt_sigaction, 40, (long)ignored, 0, 8, 0, 0);
#elif WAY == 18 // code of the hook that its system calls can overwrite
    extern void (*__preinit_array_start[])(void);
    unsigned long page = (unsigned long)__preinit_array_start[0] & -4096UL;
    call(SYS_mprotect, page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, 0, 0, 0);
#elif WAY == 19 // a signal with each request
    call(SYS_fcntl, 3, F_SETOWN, call(SYS_getpid, 0, 0, 0, 0, 0, 0), 0, 0, 0);
    call(SYS_fcntl, 3, 10, SIGSTOP, 0, 0, 0);
    call(SYS_fcntl, 3, F_SETFL, O_ASYNC, 0, 0, 0);
#elif WAY == 20 // other control messages than descriptors
    int yes = 1;
    call(SYS_setsockopt, 3, SOL_SOCKET, SO_PASSCRED, (long)&yes, sizeof yes, 0);
#elif WAY == 21 // replies in the name of the hook
    int pid = 9999;
    call(SYS_sendto, 3, (long)"x", 1, 0, 0, 0);
    call(SYS_sendto, 3, (long)&pid, 4, 0, 0, 0);
#elif WAY == 22 // a stack that forks lack
    for (int i = -4; i < 4; i++)
        call(SYS_madvise, ((long)__builtin_frame_address(0) & -4096L) + 4096 * i, 4096, 10, 0, 0, 0);
#elif WAY == 23 // a socket on which forks cannot reply
    call(SYS_sendto, 3, (long)"x", 1, 0, 0, 0);
    call(SYS_shutdown, 3, SHUT_WR, 0, 0, 0, 0);
#endif
}
static int nothing(void) { return 0; }
static void *resolve(void) { before(); return nothing; }
int resolved(void) __attribute__((ifunc("resolve")));
int main(void) {
    int count = 0;
    if (WAY == 3 || WAY == 10) {
        if (kept >= 0 && pread(kept, &count, sizeof count, 0) == sizeof count) {
            count++;
            pwrite(kept, &count, sizeof count, 0);
        }
    } else {
        count = ++*state;
        if (WAY == 2 && kept >= 0) pwrite(kept, &count, sizeof count, 0);
    }
    if (WAY == 6) kill(-1, SIGUSR1);
    printf("%d\n", resolved() + (count > 1 ? count : 0));
    unsigned char *random = (unsigned char *)getauxval(AT_RANDOM);
    for (int i = 0; i < 16; i++) printf("%02x", random[i]);
    printf("\n");
}
"#;

/// Builds a C program from its text.
fn built_text(text: &str, toolchain: &Toolchain) -> Program {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("main.c");
    fs_err::write(&path, text).unwrap();
    built(&load("c", &path), toolchain).unwrap_or_else(|error| panic!("{error}")).program
}

/// Runs the program `count` times in one cell, with the numbers from 1 as its input.
fn runs(program: &Program, count: usize, limits: &Limits) -> Vec<CellOutput> {
    let room = CellSpec { slot: 0, mounts: program.mounts().to_vec(), scratch: ByteSize::mib(16) };
    let mut cell = sandbox().open(&room).unwrap();
    (1..=count)
        .map(|number| cell.run(task(program, &number.to_string(), limits, cell.private_dir())).unwrap())
        .collect()
}

/// Runs the program four times like [`runs`], until the last three runs are forks, at most ten times. On a busy machine, a
/// program may reach the hook too late, and is then executed.
fn forked_runs(program: &Program, is_forked: impl Fn(&[CellOutput]) -> bool) -> Vec<CellOutput> {
    let mut all = (0..10).map(|_| runs(program, 4, &limits()));
    all.find(|runs| is_forked(runs) || !can_prestart(program)).unwrap_or_else(|| panic!("no attempt had forks"))
}

/// Returns whether the last of four runs that print a random number of their executed process are forks of one process.
fn have_one_origin(runs: &[CellOutput]) -> bool {
    let parts = parts(runs);
    parts[1].1 == parts[2].1 && parts[2].1 == parts[3].1
}

/// Returns the standard output of runs without the last line, and the last line.
fn parts(runs: &[CellOutput]) -> Vec<(String, String)> {
    let part = |run: &CellOutput| {
        let text = String::from_utf8(run.stdout.clone()).unwrap();
        let (first, last) =
            text.trim_end().rsplit_once('\n').unwrap_or_else(|| panic!("{text:?}: {:?}", run.execution));
        (first.to_owned(), last.to_owned())
    };
    runs.iter().map(part).collect()
}

/// Returns whether the sandbox prestarts programs on this machine: at level A, if the kernel has the files that it reads.
fn can_prestart(program: &Program) -> bool {
    let files = ["/proc/self/timers", "/proc/self/syscall", "/proc/thread-self/children"];
    let status = fs_err::read_to_string("/proc/self/status").unwrap();
    program.has_start_hook()
        && sandbox().isolation().level == Level::A
        && files.iter().all(|path| Path::new(path).exists())
        && status.contains("\nSeccomp_filters:")
}

#[test]
fn a_forked_run_is_like_an_executed_one() {
    let Some(toolchain) = toolchain("c") else { return };
    let program = built_text(OBSERVER, &toolchain);
    let runs = forked_runs(&program, have_one_origin);
    let parts = parts(&runs);
    for (number, (run, (observed, _))) in runs.iter().zip(&parts).enumerate() {
        assert_eq!(run.execution.exit, Exit::Code(3), "{:?}", run.execution);
        assert_eq!(run.execution.stderr.text, "error\n");
        let first = parts[0].0.replacen("number 1", &format!("number {}", number + 1), 1);
        assert_eq!(*observed, first, "run {number}");
    }
    assert!(parts[0].1 != parts[1].1, "the first run is executed");
}

/// Programs that affect the other processes of their user.
#[test]
fn no_run_changes_the_priority_of_the_next_one() {
    let Some(toolchain) = toolchain("c") else { return };
    let text = "#include <stdio.h>\n#include <sys/resource.h>\n#include <sys/syscall.h>\n#include <unistd.h>\n\
                int main(void) { printf(\"%d %ld\\n\", getpriority(PRIO_PROCESS, 0), syscall(SYS_ioprio_get, 1, 0));\n\
                setpriority(PRIO_USER, 0, 9); setpriority(PRIO_PGRP, 0, 9); syscall(SYS_ioprio_set, 3, 0, 2 << 13 | 7); }";
    let runs = runs(&built_text(text, &toolchain), 4, &limits());
    assert!(runs.iter().all(|run| run.stdout == runs[0].stdout));
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn no_run_keeps_state_for_the_next_one() {
    let Some(toolchain) = toolchain("c") else { return };
    if !cfg!(target_arch = "x86_64") {
        return;
    }
    for way in 0..=23 {
        let program = built_text(&format!("#define WAY {way}\n{STATEFUL}"), &toolchain);
        let runs = if way == 0 { forked_runs(&program, have_one_origin) } else { runs(&program, 4, &limits()) };
        for (number, (state, _)) in parts(&runs).iter().enumerate() {
            assert_eq!(state, "0", "way {way}: run {number} knows of an earlier run");
        }
        assert!(way == 0 || !have_one_origin(&runs), "way {way} is forked");
    }
}

#[test]
fn restartable_sequences_are_disabled_in_forks() {
    let Some(toolchain) = toolchain("c") else { return };
    let text = "#include <errno.h>\n#include <stdio.h>\n#include <sys/syscall.h>\n#include <unistd.h>\n\
                int main(void) { syscall(SYS_rseq, 0, 0, 0, 0); printf(\"%d\\n\", errno == ENOSYS); }";
    let program = built_text(text, &toolchain);
    let is_disabled = |run: &CellOutput| run.stdout == b"1\n";
    let runs = forked_runs(&program, |runs| runs[1..].iter().all(is_disabled));
    assert!(!is_disabled(&runs[0]));
}

#[test]
fn programs_may_end_or_stop_the_prestarted_process() {
    let Some(toolchain) = toolchain("c") else { return };
    for signal in ["SIGKILL", "SIGSTOP", "SIGTERM", "SIGUSR1"] {
        let text = format!(
            "#include <signal.h>\n#include <stdio.h>\nint main(void) {{ kill(-1, {signal}); puts(\"done\"); return 5; }}"
        );
        let program = built_text(&text, &toolchain);
        for run in runs(&program, 5, &limits()) {
            assert_eq!((run.stdout.as_slice(), run.execution.exit), (&b"done\n"[..], Exit::Code(5)), "{signal}");
        }
    }
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn limits_apply_to_forked_runs() {
    let Some(toolchain) = toolchain("c") else { return };
    let program = |text: &str| built_text(text, &toolchain);
    let tight = Limits {
        cpu: TimeSpan::millis(100),
        wall: TimeSpan::seconds(5),
        memory: ByteSize::mib(16),
        processes: 5,
        ..limits()
    };
    let endless = program("int main(void) { for (;;); }");
    let breaches = |program: &Program| -> Vec<Option<Breach>> {
        runs(program, 3, &tight).iter().map(|run| run.execution.breach).collect()
    };
    assert_eq!(breaches(&endless), [Some(Breach::Cpu); 3]);
    let memory = "#include <stdlib.h>\n#include <string.h>\n\
                  int main(void) { for (;;) memset(malloc(1 << 20), 1, 1 << 20); }";
    assert_eq!(breaches(&program(memory)), [Some(Breach::Memory); 3]);
    let output = "#include <stdio.h>\nint main(void) { for (;;) puts(\"a\"); }";
    assert_eq!(breaches(&program(output)), [Some(Breach::Output); 3]);
    // The children wait until their parent ends, and are then killed.
    let forks = "#include <stdio.h>\n#include <unistd.h>\n\
                 int main(void) { int n = 0; for (;; n++) { int c = fork(); if (c < 0) break; if (!c) for (;;) pause(); }\n\
                 printf(\"%d\\n\", n); }";
    let forks = program(forks);
    let counts: Vec<String> =
        runs(&forks, 4, &tight).into_iter().map(|run| String::from_utf8(run.stdout).unwrap()).collect();
    assert_eq!(counts, [counts[0].as_str(); 4], "the number of processes is the same");
    assert_eq!(counts[0], "4\n");
    let busy = "#include <time.h>\nint main(void) { while (clock() < CLOCKS_PER_SEC / 20); }";
    for run in runs(&program(busy), 3, &limits()) {
        let cpu = run.execution.usage.cpu;
        assert!(run.execution.exit.success() && cpu >= TimeSpan::millis(45), "{cpu:?}");
    }
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn programs_in_all_languages_with_the_hook_are_forked() {
    for (id, name, text) in [
        ("c", "main.c", "#include <stdio.h>\nint main(void) { int n; scanf(\"%d\", &n); printf(\"%d\\n\", 2 * n); }"),
        (
            "cpp",
            "main.cpp",
            "#include <iostream>\nint main() { int n; std::cin >> n; std::cout << 2 * n << std::endl; }",
        ),
        (
            "rust",
            "main.rs",
            "fn main() { let mut l = String::new(); std::io::stdin().read_line(&mut l).unwrap();\n\
             println!(\"{}\", 2 * l.trim().parse::<i32>().unwrap()); }",
        ),
    ] {
        let Some(toolchain) = toolchain(id) else { continue };
        let folder = tempfile::tempdir().unwrap();
        fs_err::write(folder.path().join(name), text).unwrap();
        let program = built(&load(id, &folder.path().join(name)), &toolchain).unwrap().program;
        assert_eq!(program.has_start_hook(), cfg!(target_arch = "x86_64"), "{id}");
        let answers: Vec<Vec<u8>> = runs(&program, 4, &limits()).into_iter().map(|run| run.stdout).collect();
        assert_eq!(answers, [b"2\n", b"4\n", b"6\n", b"8\n"], "{id}");
    }
}
