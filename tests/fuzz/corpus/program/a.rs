use std::io::*;
fn main() { let mut s = String::new(); stdin().read_to_string(&mut s).unwrap(); let v: Vec<u64> = s.split_whitespace().map(|x| x.parse().unwrap()).collect(); let r = v[1..].iter().fold(0, |a, b| a ^ b); println!("{}", if r != 0 { "Yes" } else { "No" }); }
