//! Sets how the tests are linked and run, as the build script of `nimatron` does, which states the reasons.

use std::num::NonZero;

fn main() {
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "debug") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
    println!("cargo::rerun-if-env-changed=RUST_TEST_THREADS");
    if std::env::var_os("RUST_TEST_THREADS").is_none() {
        let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
        println!("cargo::rustc-env=RUST_TEST_THREADS={}", 2 * processors);
    }
}
