//! The `nimatron` command.

#![expect(unreachable_pub, reason = "a binary crate has no public API")]

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
