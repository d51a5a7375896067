//! The `nimatron-server` command: `nimatron` with the server.

fn main() -> std::process::ExitCode {
    nimatron::cli::main(Some(&nimatron_server::COMMANDS))
}
