//! The machine code of the start hook, which is linked into programs; see `cell/prestart.rs` for its use.
#![expect(unsafe_code, reason = "the code is written in assembly, and its bounds are symbols")]

/// The start hook: position-independent machine code that a program calls before its own code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StartHook {
    /// The code. It contains no relocations, and its entry point is its first byte. A program calls it as a preinit function
    /// of the System V ABI, and may call it without arguments.
    pub code: &'static [u8],
    /// The position in `code` to which the system call returns in which the hook waits for requests.
    pub(crate) wait_end: usize,
}

/// The position of the `struct msghdr` of the hook, relative to its stack pointer while it waits.
pub(crate) const HOOK_HEADER: u64 = 24;

/// Returns the memory of the hook, from eight bytes above its stack pointer `stack`, while it waits: the `struct iovec` and
/// the `struct msghdr` with which it receives a request.
pub(crate) fn waiting_hook_memory(stack: u64) -> Vec<u8> {
    let part = [stack, 1];
    let header = [0, 0, stack + 8, 1, stack + 80, 32, 0];
    part.into_iter().chain(header).flat_map(u64::to_ne_bytes).collect()
}

/// The descriptor on which the hook receives requests.
pub(crate) const HOOK_DESCRIPTOR: usize = 3;

/// The first message on the descriptor [`HOOK_DESCRIPTOR`]. Without it, the hook returns immediately, and the program runs.
pub(crate) const HOOK_GREETING: [u8; 8] = *b"nimatron";

impl StartHook {
    /// Returns the hook for the processors of this machine, or `None` if there is none.
    #[cfg(all(target_arch = "x86_64", target_pointer_width = "64"))]
    pub fn of_this_machine() -> Option<StartHook> {
        // SAFETY: the three symbols are in one section, in this order, and the bytes between them are never changed.
        unsafe {
            let [start, wait_end, end] = [
                &raw const nimatron_start_hook,
                &raw const nimatron_start_hook_wait,
                &raw const nimatron_start_hook_end,
            ];
            let code = std::slice::from_raw_parts(start, end.offset_from_unsigned(start));
            Some(StartHook { code, wait_end: wait_end.offset_from_unsigned(start) })
        }
    }

    /// Returns the hook for the processors of this machine, or `None` if there is none.
    #[cfg(not(all(target_arch = "x86_64", target_pointer_width = "64")))]
    pub fn of_this_machine() -> Option<StartHook> {
        None
    }
}

#[cfg(all(target_arch = "x86_64", target_pointer_width = "64"))]
unsafe extern "C" {
    static nimatron_start_hook: u8;
    static nimatron_start_hook_wait: u8;
    static nimatron_start_hook_end: u8;
}

// The hook uses no memory except its stack, and calls no function, since other parts of the program may not be
// initialized and may be replaced by the program's author. The layout of its stack, from the stack pointer:
//
//   0  the message: the greeting, then the byte of a request, or the process id that is sent
//   8  `struct iovec` with the address and size of the message
//  24  `struct msghdr` (56 bytes)
//  80  the control message: a header of 16 bytes, and three descriptors
// 112  the length of the robust list, as returned by the kernel
//
// rbx is the address of the C library's copy of the thread id, and r12 that of the head of the robust list. Both are set
// by the C library and would be wrong in a process that the library does not fork.
#[cfg(all(target_arch = "x86_64", target_pointer_width = "64"))]
std::arch::global_asm!(
    ".pushsection .rodata.nimatron_start_hook, \"a\", @progbits",
    ".globl nimatron_start_hook",
    ".hidden nimatron_start_hook",
    ".globl nimatron_start_hook_wait",
    ".hidden nimatron_start_hook_wait",
    ".globl nimatron_start_hook_end",
    ".hidden nimatron_start_hook_end",
    "nimatron_start_hook:",
    "push rbx",
    "push r12",
    "sub rsp, 120",
    // recvfrom(3, message, 8, MSG_PEEK | MSG_DONTWAIT, NULL, NULL)
    "mov eax, 45",
    "mov edi, 3",
    "mov rsi, rsp",
    "mov edx, 8",
    "mov r10d, 0x42",
    "xor r8d, r8d",
    "xor r9d, r9d",
    "syscall",
    "cmp rax, 8",
    "jne 9f",
    "movabs rcx, {greeting}",
    "cmp [rsp], rcx",
    "jne 9f",
    // Receive the greeting.
    "mov eax, 45",
    "xor r10d, r10d",
    "syscall",
    // prctl(PR_GET_TID_ADDRESS, &rbx, 0, 0, 0)
    "mov eax, 157",
    "mov edi, 40",
    "mov rsi, rsp",
    "xor edx, edx",
    "syscall",
    "test rax, rax",
    "jnz 8f",
    "mov rbx, [rsp]",
    // get_robust_list(0, &r12, &length)
    "mov eax, 274",
    "xor edi, edi",
    "mov rsi, rsp",
    "lea rdx, [rsp + 112]",
    "syscall",
    "test rax, rax",
    "jnz 8f",
    "mov r12, [rsp]",
    // sendto(3, message, 1, MSG_NOSIGNAL, NULL, 0): the hook is ready.
    "mov eax, 44",
    "mov edi, 3",
    "mov rsi, rsp",
    "mov edx, 1",
    "mov r10d, 0x4000",
    "xor r8d, r8d",
    "xor r9d, r9d",
    "syscall",
    "2:",
    // prctl(PR_SET_DUMPABLE, 0, 0, 0, 0): the programs cannot access this process.
    "mov eax, 157",
    "mov edi, 4",
    "xor esi, esi",
    "xor edx, edx",
    "xor r10d, r10d",
    "xor r8d, r8d",
    "syscall",
    // recvmsg(3, header, 0)
    "mov [rsp + 8], rsp",
    "mov qword ptr [rsp + 16], 1",
    "xor eax, eax",
    "mov [rsp + 24], rax",
    "mov [rsp + 32], rax",
    "lea rcx, [rsp + 8]",
    "mov [rsp + 40], rcx",
    "mov qword ptr [rsp + 48], 1",
    "lea rcx, [rsp + 80]",
    "mov [rsp + 56], rcx",
    "mov qword ptr [rsp + 64], 32",
    "mov [rsp + 72], rax",
    "mov eax, 47",
    "mov edi, 3",
    "lea rsi, [rsp + 24]",
    "xor edx, edx",
    "syscall",
    "nimatron_start_hook_wait:",
    "cmp rax, 1",
    "jne 8f",
    "cmp qword ptr [rsp + 80], 28",
    "jne 8f",
    // The level and the type of the control message are SOL_SOCKET and SCM_RIGHTS.
    "movabs rcx, 0x100000001",
    "cmp [rsp + 88], rcx",
    "jne 8f",
    // clone(CLONE_PARENT | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD, NULL, NULL, rbx, 0)
    "mov eax, 56",
    "mov edi, 0x1208011",
    "xor esi, esi",
    "xor edx, edx",
    "mov r10, rbx",
    "xor r8d, r8d",
    "syscall",
    "test rax, rax",
    "jz 3f",
    "js 8f",
    // close_range(4, UINT_MAX, 0)
    "mov eax, 436",
    "mov edi, 4",
    "mov esi, 0xffffffff",
    "xor edx, edx",
    "syscall",
    "jmp 2b",
    "3:",
    // The new process sends its id: getpid(), and sendto(3, message, 4, MSG_NOSIGNAL, NULL, 0).
    "mov eax, 39",
    "syscall",
    "mov [rsp], rax",
    "mov eax, 44",
    "mov edi, 3",
    "mov rsi, rsp",
    "mov edx, 4",
    "mov r10d, 0x4000",
    "xor r8d, r8d",
    "xor r9d, r9d",
    "syscall",
    "cmp rax, 4",
    "jne 8f",
    // setpgid(0, 0)
    "mov eax, 109",
    "xor edi, edi",
    "xor esi, esi",
    "syscall",
    // dup2(received descriptor, 0), and the same for 1 and 2
    "mov eax, 33",
    "mov edi, [rsp + 96]",
    "xor esi, esi",
    "syscall",
    "mov eax, 33",
    "mov edi, [rsp + 100]",
    "mov esi, 1",
    "syscall",
    "mov eax, 33",
    "mov edi, [rsp + 104]",
    "mov esi, 2",
    "syscall",
    // close_range(3, UINT_MAX, 0)
    "mov eax, 436",
    "mov edi, 3",
    "mov esi, 0xffffffff",
    "xor edx, edx",
    "syscall",
    // set_robust_list(r12, length)
    "mov eax, 273",
    "mov rdi, r12",
    "mov rsi, [rsp + 112]",
    "syscall",
    // prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)
    "mov eax, 157",
    "mov edi, 4",
    "mov esi, 1",
    "xor edx, edx",
    "xor r10d, r10d",
    "xor r8d, r8d",
    "syscall",
    "9:",
    "add rsp, 120",
    "pop r12",
    "pop rbx",
    "ret",
    "8:",
    // exit_group(127)
    "mov eax, 231",
    "mov edi, 127",
    "syscall",
    "ud2",
    "nimatron_start_hook_end:",
    ".popsection",
    greeting = const u64::from_le_bytes(HOOK_GREETING),
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hook_waits_in_its_code() {
        let Some(hook) = StartHook::of_this_machine() else { return };
        assert!((1..4_096).contains(&hook.code.len()));
        assert!((2..hook.code.len()).contains(&hook.wait_end));
        #[cfg(target_arch = "x86_64")]
        assert_eq!(hook.code[hook.wait_end - 2..hook.wait_end], [0x0f, 0x05], "the instruction `syscall`");
    }
}
