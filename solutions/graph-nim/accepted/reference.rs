// Values of all sets of vertices that can be left, the smaller sets first.
use std::io;

fn main() -> io::Result<()> {
    let input = io::read_to_string(io::stdin())?;
    let numbers: Vec<usize> = input.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let n = numbers.first().copied().unwrap_or(0);
    let edges: Vec<usize> =
        numbers[2..].chunks_exact(2).map(|ends| 1 << (ends[0] - 1) | 1 << (ends[1] - 1)).collect();
    let removals: Vec<usize> = (0..n).map(|vertex| 1 << vertex).chain(edges).collect();
    let mut values = vec![0_u32; 1 << n];
    for left in 1..1 << n {
        let mut seen = 0_u64;
        for gone in &removals {
            if left & gone == *gone {
                seen |= 1 << values[left ^ gone];
            }
        }
        values[left] = seen.trailing_ones();
    }
    println!("{}", values[(1 << n) - 1]);
    Ok(())
}
