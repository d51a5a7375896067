//! The `nimatron` command.

fn main() {}
