//! Computes the verdict of a run from its measurements, if they determine it without the output.

use crate::model::{Breach, Execution, Limits, Verdict};

/// Returns the verdict that the measurements determine; `None` if the output must be checked. The measurements have
/// this order of precedence: the exceeded limit or the forbidden system call that the sandbox reported, the CPU time,
/// the memory, and the exit status.
pub fn classify(execution: &Execution, limits: &Limits) -> Option<Verdict> {
    if let Some(breach) = execution.breach {
        return Some(match breach {
            Breach::Cpu | Breach::Wall | Breach::Starved => Verdict::TimeLimit,
            Breach::Idle => Verdict::IdleLimit,
            Breach::Memory => Verdict::MemoryLimit,
            Breach::Output => Verdict::OutputLimit,
            Breach::Processes => Verdict::RuntimeError,
            Breach::Syscall => Verdict::Forbidden,
        });
    }
    if execution.usage.cpu > limits.cpu {
        return Some(Verdict::TimeLimit);
    }
    if execution.usage.memory > limits.memory {
        return Some(Verdict::MemoryLimit);
    }
    if !execution.exit.success() {
        return Some(Verdict::RuntimeError);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ByteSize, Capture, Exit, TimeSpan, Usage};

    const LIMITS: Limits = Limits {
        cpu: TimeSpan::seconds(1),
        wall: TimeSpan::seconds(3),
        memory: ByteSize::mib(64),
        output: ByteSize::mib(8),
        processes: 16,
    };

    fn execution(exit: Exit, breach: Option<Breach>, cpu: TimeSpan, memory: ByteSize) -> Execution {
        Execution {
            exit,
            breach,
            usage: Usage { cpu, wall: cpu, memory, instructions: None },
            stderr: Capture::default(),
        }
    }

    #[test]
    fn the_first_reason_counts() {
        let (quick, small) = (TimeSpan::millis(10), ByteSize::mib(1));
        let (slow, large) = (TimeSpan::millis(1001), ByteSize::mib(65));
        let verdict = |exit, breach, cpu, memory| classify(&execution(exit, breach, cpu, memory), &LIMITS);
        assert_eq!(verdict(Exit::Code(0), None, quick, small), None);
        assert_eq!(verdict(Exit::Code(0), None, LIMITS.cpu, LIMITS.memory), None, "the limit itself is allowed");
        assert_eq!(verdict(Exit::Code(1), None, quick, small), Some(Verdict::RuntimeError));
        assert_eq!(verdict(Exit::Signal(11), None, quick, small), Some(Verdict::RuntimeError));
        assert_eq!(verdict(Exit::Code(0), None, slow, small), Some(Verdict::TimeLimit));
        assert_eq!(verdict(Exit::Code(3), None, slow, large), Some(Verdict::TimeLimit));
        assert_eq!(verdict(Exit::Code(0), None, quick, large), Some(Verdict::MemoryLimit));
        assert_eq!(verdict(Exit::Signal(9), Some(Breach::Output), slow, large), Some(Verdict::OutputLimit));
        assert_eq!(verdict(Exit::Signal(9), Some(Breach::Idle), quick, small), Some(Verdict::IdleLimit));
        assert_eq!(verdict(Exit::Signal(31), Some(Breach::Syscall), quick, small), Some(Verdict::Forbidden));
    }
}
