//! Computes the hash of the embedded problem set, makes cargo rebuild the binary when the set or the guides change, and
//! sets how the tests are linked and run.

use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() -> std::io::Result<()> {
    let mut hash = FNV_OFFSET;
    for folder in ["problems", "solutions"] {
        println!("cargo::rerun-if-changed={folder}");
        add_folder(&mut hash, Path::new(folder))?;
    }
    println!("cargo::rerun-if-changed=src/guide");
    println!("cargo::rustc-env=NIMATRON_PROBLEM_SET={hash:016x}");
    // The tests start the debug binary thousands of times, and relocating it is a quarter of the CPU time of a short run.
    // Its addresses are therefore fixed. Those of the release binary are random, as is usual for hardening.
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "debug") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    } else if loads_compact_relocations() {
        // The relocations are then 20 kB instead of 1.5 MB.
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
    set_test_threads();
    Ok(())
}

/// Returns whether the binary is for this machine, whose dynamic linker reads compact relative relocations (RELR): that of
/// glibc does since 2.36. They are not used with a linker or flags of the user, since gold fails on the option.
fn loads_compact_relocations() -> bool {
    let target = std::env::var("TARGET").unwrap_or_default();
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_default = !is_set("RUSTC_LINKER") && !is_set("CARGO_ENCODED_RUSTFLAGS");
    if !is_default || target != "x86_64-unknown-linux-gnu" || std::env::var("HOST") != Ok(target) {
        return false;
    }
    let Ok(output) = Command::new("getconf").arg("GNU_LIBC_VERSION").output() else { return false };
    let text = String::from_utf8_lossy(&output.stdout);
    let version = text.trim().strip_prefix("glibc ").and_then(|version| version.split_once('.'));
    let number = |text: &str| text.split('.').next().and_then(|digits| digits.parse::<u32>().ok());
    version.and_then(|(major, minor)| Some((number(major)?, number(minor)?))).is_some_and(|version| version >= (2, 36))
}

/// Makes `cargo test` run two tests for each processor, because the tests mostly wait for the programs that they start:
/// Cargo also sets this variable for the programs that it runs.
fn set_test_threads() {
    println!("cargo::rerun-if-env-changed=RUST_TEST_THREADS");
    if std::env::var_os("RUST_TEST_THREADS").is_none() {
        let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
        println!("cargo::rustc-env=RUST_TEST_THREADS={}", 2 * processors);
    }
}

/// Parameters of the 64-bit FNV-1a hash.
const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0100_0000_01b3;

/// Adds the names and contents of all files in a folder to the hash, in the order of their names.
#[expect(clippy::disallowed_methods, reason = "the build script has no dependencies, so that it is built first")]
fn add_folder(hash: &mut u64, folder: &Path) -> std::io::Result<()> {
    let mut entries =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<PathBuf>>>()?;
    entries.sort();
    for path in entries {
        if path.is_dir() {
            add_folder(hash, &path)?;
        } else {
            add(hash, path.as_os_str().as_encoded_bytes());
            add(hash, &fs::read(&path)?);
        }
    }
    Ok(())
}

/// Adds bytes and their number to the hash.
fn add(hash: &mut u64, bytes: &[u8]) {
    let length = (bytes.len() as u64).to_le_bytes();
    for byte in bytes.iter().chain(&length) {
        *hash = (*hash ^ u64::from(*byte)).wrapping_mul(FNV_PRIME);
    }
}
