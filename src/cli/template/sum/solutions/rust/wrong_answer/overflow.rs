//! Wrong answer: the sum overflows 32 bits.

use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let mut total = 0_i32;
    for word in text.split_ascii_whitespace().skip(1) {
        total = total.wrapping_add(word.parse().unwrap());
    }
    println!("{total}");
}
