//! Makes cargo rebuild the binary when the embedded problem set changes.

fn main() {
    println!("cargo::rerun-if-changed=problems");
    println!("cargo::rerun-if-changed=solutions");
}
