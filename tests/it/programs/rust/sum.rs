use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let mut numbers = text.split_ascii_whitespace().map(|word| word.parse::<i64>().unwrap());
    let count = numbers.next().unwrap() as usize;
    println!("{}", numbers.take(count).sum::<i64>());
}
