//! The system call filter of the [recorder](super::recorder): it ends an interactor that uses standard input or output in a
//! way that is not recorded.
//!
//! When a filter is installed, the kernel evaluates it for each number of a system call. The filter is therefore a search tree
//! over ranges of numbers, in which most calls are allowed after a few comparisons. A chain of comparisons would take 0.1 ms
//! for each run of an interactor.

use libc::c_long;

/// The last argument of the system calls that are recorded. The kernel ignores it, and the filter requires it.
pub(super) const TAG: u32 = 0x6e69_6d61;

/// A part of the filter that decides on a system call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Block {
    /// The call must be recorded if its first argument is standard input, or standard output.
    Input,
    Output,
    Tagged,
    /// The first argument must be neither standard input nor output; or the first two; or the first and the third.
    NotFirst,
    NotFirstTwo,
    NotFirstAndThird,
    /// The first argument must not be standard output.
    NotOutput,
    /// The call must not duplicate standard input or output.
    NoDuplicate,
    NoDuplicateCloexec,
    /// The call must start a thread.
    Thread,
    Kill,
    /// The call fails. The C library then calls `clone`, whose flags the filter can read.
    NotImplemented,
    Allow,
}

/// All blocks, in an order in which each one only jumps to later ones.
const BLOCKS: [Block; 13] = [
    Block::Input,
    Block::Output,
    Block::Tagged,
    Block::NotFirstTwo,
    Block::NotFirstAndThird,
    Block::NoDuplicate,
    Block::NoDuplicateCloexec,
    Block::NotFirst,
    Block::NotOutput,
    Block::Thread,
    Block::Kill,
    Block::NotImplemented,
    Block::Allow,
];

/// The system calls that are not always allowed.
const CALLS: &[(c_long, Block)] = &[
    (libc::SYS_read, Block::Input),
    (libc::SYS_readv, Block::Input),
    (libc::SYS_write, Block::Output),
    (libc::SYS_writev, Block::Output),
    (libc::SYS_preadv2, Block::NotFirst),
    (libc::SYS_pwritev2, Block::NotFirst),
    (libc::SYS_vmsplice, Block::NotFirst),
    (libc::SYS_dup, Block::NotFirst),
    (libc::SYS_close_range, Block::NotFirst),
    (libc::SYS_dup3, Block::NotFirstTwo),
    (libc::SYS_tee, Block::NotFirstTwo),
    (libc::SYS_sendfile, Block::NotFirstTwo),
    (libc::SYS_splice, Block::NotFirstAndThird),
    (libc::SYS_copy_file_range, Block::NotFirstAndThird),
    // The judge's copy of the pipe would hide the end from the program.
    (libc::SYS_close, Block::NotOutput),
    (libc::SYS_fcntl, Block::NoDuplicate),
    (libc::SYS_clone, Block::Thread),
    (libc::SYS_clone3, Block::NotImplemented),
    (libc::SYS_execve, Block::Kill),
    (libc::SYS_execveat, Block::Kill),
    (libc::SYS_io_uring_setup, Block::Kill),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_dup2, Block::NotFirstTwo),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_fork, Block::Kill),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_vfork, Block::Kill),
];

/// A comparison of the loaded number with a value.
#[derive(Debug, Clone, Copy)]
enum ArgumentTest {
    Equal(u32),
    Above(u32),
    AtLeast(u32),
    AnyBit(u32),
}

/// The target of a jump: a comparison of the search tree, by its index, or a block.
#[derive(Debug, Clone, Copy)]
enum JumpTarget {
    Comparison(usize),
    Block(Block),
}

/// An instruction as the fields `code`, `jt`, `jf` and `k` of `struct sock_filter`.
type Instruction = (u32, u8, u8, u32);

const STDIN: u32 = libc::STDIN_FILENO as u32;
const STDOUT: u32 = libc::STDOUT_FILENO as u32;

impl Block {
    /// Returns the index of the argument that is loaded, the test, and the blocks to which the filter jumps if the test
    /// succeeds and if it fails. Returns `Err` with the result of the filter for a block that ends it.
    fn decision(self) -> Result<(Option<u32>, ArgumentTest, Block, Block), u32> {
        Ok(match self {
            Block::Input => (Some(0), ArgumentTest::Equal(STDIN), Block::Tagged, Block::Allow),
            Block::Output => (Some(0), ArgumentTest::Equal(STDOUT), Block::Tagged, Block::Allow),
            Block::Tagged => (Some(5), ArgumentTest::Equal(TAG), Block::Allow, Block::Kill),
            Block::NotFirstTwo => (Some(1), ArgumentTest::Above(STDOUT), Block::NotFirst, Block::Kill),
            Block::NotFirstAndThird => (Some(2), ArgumentTest::Above(STDOUT), Block::NotFirst, Block::Kill),
            Block::NotFirst => (Some(0), ArgumentTest::Above(STDOUT), Block::Allow, Block::Kill),
            Block::NotOutput => (Some(0), ArgumentTest::Equal(STDOUT), Block::Kill, Block::Allow),
            Block::NoDuplicate => {
                (Some(1), ArgumentTest::Equal(libc::F_DUPFD as u32), Block::NotFirst, Block::NoDuplicateCloexec)
            }
            Block::NoDuplicateCloexec => {
                (None, ArgumentTest::Equal(libc::F_DUPFD_CLOEXEC as u32), Block::NotFirst, Block::Allow)
            }
            Block::Thread => (Some(0), ArgumentTest::AnyBit(libc::CLONE_THREAD as u32), Block::Allow, Block::Kill),
            Block::Kill => return Err(libc::SECCOMP_RET_KILL_PROCESS),
            Block::NotImplemented => return Err(libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32),
            Block::Allow => return Err(libc::SECCOMP_RET_ALLOW),
        })
    }

    /// Returns the number of instructions of the block.
    fn size(self) -> usize {
        self.decision().map_or(1, |(argument, ..)| 1 + usize::from(argument.is_some()))
    }
}

/// Adds comparisons that search for a number below `end` in the ranges, each of which begins at a number and reaches to the
/// next one. Returns the target to jump to.
fn search(ranges: &[(u32, Block)], end: u32, comparisons: &mut Vec<(u32, JumpTarget, JumpTarget)>) -> JumpTarget {
    let middle = u32::midpoint(ranges[0].0, end);
    let Some(split) = (1..ranges.len()).min_by_key(|index| ranges[*index].0.abs_diff(middle)) else {
        return JumpTarget::Block(ranges[0].1);
    };
    let (index, value) = (comparisons.len(), ranges[split].0);
    comparisons.push((value, JumpTarget::Comparison(index), JumpTarget::Comparison(index)));
    let below = search(&ranges[..split], value, comparisons);
    let above = search(&ranges[split..], end, comparisons);
    comparisons[index] = (value, above, below);
    JumpTarget::Comparison(index)
}

/// Returns the instructions of the filter.
fn instructions() -> Vec<Instruction> {
    /// A number that is larger than those of most system calls.
    const END: u32 = 512;
    let mut calls: Vec<(u32, Block)> = CALLS.iter().map(|(call, block)| (*call as u32, *block)).collect();
    calls.sort_by_key(|(call, _)| *call);
    let mut ranges = vec![(0, Block::Allow)];
    for (call, block) in calls {
        ranges.retain(|(start, _)| *start != call);
        ranges.extend([(call, block), (call + 1, Block::Allow)]);
    }
    ranges.dedup_by_key(|(_, block)| *block);
    let mut comparisons = Vec::new();
    search(&ranges, END, &mut comparisons);
    let load = |offset: usize| (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, offset as u32);
    let mut filter = vec![load(std::mem::offset_of!(libc::seccomp_data, nr))];
    let blocks = filter.len() + comparisons.len();
    let place = |target: JumpTarget| match target {
        JumpTarget::Comparison(index) => 1 + index,
        JumpTarget::Block(block) => {
            blocks + BLOCKS.iter().take_while(|other| **other != block).map(|block| block.size()).sum::<usize>()
        }
    };
    let jump = |from: usize, test: ArgumentTest, yes: JumpTarget, no: JumpTarget| {
        let (operator, value) = match test {
            ArgumentTest::Equal(value) => (libc::BPF_JEQ, value),
            ArgumentTest::Above(value) => (libc::BPF_JGT, value),
            ArgumentTest::AtLeast(value) => (libc::BPF_JGE, value),
            ArgumentTest::AnyBit(value) => (libc::BPF_JSET, value),
        };
        // All jumps are forward and shorter than 256 instructions; a test checks this.
        let distance = |target: JumpTarget| (place(target) - from - 1) as u8;
        (libc::BPF_JMP | operator | libc::BPF_K, distance(yes), distance(no), value)
    };
    for (value, above, below) in &comparisons {
        filter.push(jump(filter.len(), ArgumentTest::AtLeast(*value), *above, *below));
    }
    for block in BLOCKS {
        match block.decision() {
            Ok((argument, test, yes, no)) => {
                // Only the low half of an argument is a descriptor.
                let start = std::mem::offset_of!(libc::seccomp_data, args);
                filter.extend(argument.map(|index| load(start + 8 * index as usize)));
                filter.push(jump(filter.len(), test, JumpTarget::Block(yes), JumpTarget::Block(no)));
            }
            Err(result) => filter.push((libc::BPF_RET | libc::BPF_K, 0, 0, result)),
        }
    }
    filter
}

/// Returns the instructions of the filter as the initializer of an array of `struct sock_filter` in C.
pub(super) fn initializer() -> String {
    let field = |(code, yes, no, value): Instruction| format!("{{{code}, {yes}, {no}, {value}u}}");
    format!("{{{}}}", instructions().into_iter().map(field).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Evaluates the filter for a system call.
    fn result(call: c_long, args: [u32; 6]) -> u32 {
        let filter = instructions();
        let (mut at, mut loaded) = (0, 0);
        loop {
            let (code, yes, no, value) = filter[at];
            at += 1;
            let jumps = match code {
                code if code == libc::BPF_RET | libc::BPF_K => return value,
                code if code == libc::BPF_LD | libc::BPF_W | libc::BPF_ABS => {
                    loaded = if value == 0 { call as u32 } else { args[(value as usize - 16) / 8] };
                    continue;
                }
                code if code == libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K => loaded == value,
                code if code == libc::BPF_JMP | libc::BPF_JGT | libc::BPF_K => loaded > value,
                code if code == libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K => loaded >= value,
                _ => loaded & value != 0,
            };
            at += usize::from(if jumps { yes } else { no });
        }
    }

    #[test]
    fn only_recorded_uses_of_the_streams_are_allowed() {
        const KILL: u32 = libc::SECCOMP_RET_KILL_PROCESS;
        const ALLOW: u32 = libc::SECCOMP_RET_ALLOW;
        let is_killed = |call, args: [u32; 6]| match result(call, args) {
            KILL => true,
            ALLOW => false,
            other => panic!("{other:x}"),
        };
        for (call, stream) in [(libc::SYS_read, 0), (libc::SYS_readv, 0), (libc::SYS_write, 1), (libc::SYS_writev, 1)] {
            assert!(is_killed(call, [stream, 9, 9, 9, 9, 9]), "{call}");
            assert!(!is_killed(call, [stream, 9, 9, 9, 9, TAG]), "{call}");
            assert!(!is_killed(call, [3, 9, 9, 9, 9, 9]) && !is_killed(call, [1 - stream, 9, 9, 9, 9, 9]), "{call}");
        }
        for stream in [0, 1] {
            assert!(is_killed(libc::SYS_dup, [stream; 6]) && !is_killed(libc::SYS_dup, [2; 6]));
            for call in [libc::SYS_dup3, libc::SYS_sendfile] {
                assert!(is_killed(call, [stream, 9, 9, 0, 0, 0]) && is_killed(call, [9, stream, 9, 0, 0, 0]));
                assert!(!is_killed(call, [9, 9, stream, 0, 0, 0]));
            }
            assert!(is_killed(libc::SYS_splice, [stream, 9, 9, 0, 0, 0]));
            assert!(is_killed(libc::SYS_splice, [9, 9, stream, 0, 0, 0]));
            assert!(!is_killed(libc::SYS_splice, [9, stream, 9, 0, 0, 0]));
            for command in [libc::F_DUPFD, libc::F_DUPFD_CLOEXEC] {
                assert!(is_killed(libc::SYS_fcntl, [stream, command as u32, 0, 0, 0, 0]));
                assert!(!is_killed(libc::SYS_fcntl, [3, command as u32, 0, 0, 0, 0]));
            }
            assert!(!is_killed(libc::SYS_fcntl, [stream, libc::F_SETFL as u32, 0, 0, 0, 0]));
        }
        assert!(is_killed(libc::SYS_close, [1; 6]) && !is_killed(libc::SYS_close, [0; 6]));
        assert!(is_killed(libc::SYS_clone, [libc::SIGCHLD as u32; 6]) && is_killed(libc::SYS_execve, [9; 6]));
        assert!(!is_killed(libc::SYS_clone, [libc::CLONE_THREAD as u32; 6]));
        assert_eq!(result(libc::SYS_clone3, [0; 6]), libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32);
    }

    #[test]
    fn other_calls_are_allowed_and_jumps_fit() {
        for call in (0..1_000).filter(|call| CALLS.iter().all(|(other, _)| other != call)) {
            assert_eq!(result(call, [0; 6]), libc::SECCOMP_RET_ALLOW, "{call}");
        }
        assert!(instructions().len() < 256);
    }
}
