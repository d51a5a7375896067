fn fold(n: i64) -> i64 {
    if n == 0 { 0 } else { (fold(n - 1) / 2 + n) % 1_000_003 }
}

fn main() {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
    println!("{}", fold(line.trim().parse().unwrap()));
}
