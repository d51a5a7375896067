//! The `nimatron` command. The executable `nimatron-server` contains the server (`src/server/main.rs`).

fn main() -> std::process::ExitCode {
    nimatron::cli::main(None)
}
