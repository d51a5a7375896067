//! The `nimatron` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    match std::env::args_os().nth(1) {
        Some(argument) if argument == "__cell" => nimatron::sandbox::cell_main(),
        _ => ExitCode::from(2),
    }
}
