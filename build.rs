//! Tells cargo that the problem set is part of the binary.

fn main() {
    println!("cargo::rerun-if-changed=problems");
    println!("cargo::rerun-if-changed=solutions");
}
