//! The `nimatron` command.

#![expect(unreachable_pub, reason = "nothing is outside of a binary")]

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
