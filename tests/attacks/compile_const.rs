// Evaluates an endless constant expression at compile time.
// expect A B: any
#![allow(long_running_const_eval)]
const fn spin() -> u64 {
    let mut i = 0;
    while i < u64::MAX {
        i += 1;
    }
    i
}
const VALUE: u64 = spin();
fn main() {
    println!("{VALUE}");
}
