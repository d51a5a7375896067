//! The reference solution: writes the number in base 26 with the letters as digits.

use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    match text.split_ascii_whitespace().collect::<Vec<&str>>()[..] {
        ["encode", number] => {
            let mut x: u32 = number.parse().unwrap();
            let mut word = String::new();
            for _ in 0..5 {
                word.push((b'a' + (x % 26) as u8) as char);
                x /= 26;
            }
            println!("{word}");
        }
        ["decode", word] => {
            let x = word.bytes().rev().fold(0, |x, letter| 26 * x + u32::from(letter - b'a'));
            println!("{x}");
        }
        _ => panic!("unknown task"),
    }
}
