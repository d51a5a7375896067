// With d left, the player to move is last if d is a multiple of (p - 1) k + 1; otherwise every k numbers beyond one make his place
// one worse.
use std::io;

fn main() -> io::Result<()> {
    let input = io::read_to_string(io::stdin())?;
    let numbers: Vec<u64> = input.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    if let [t, k, p, x] = numbers[..] {
        let rest = (t - x) % ((p - 1) * k + 1);
        println!("{}", if rest == 0 { p } else { (rest - 1) / k + 1 });
    }
    Ok(())
}
