// Leaves the nim-sum zero: lowers a heap with its highest bit to its xor with the sum. Then every move of the machine breaks
// the zero, and it can be restored.
use std::io::{self, BufRead, Write};

fn main() -> io::Result<()> {
    let mut lines = io::stdin().lock().lines();
    let mut numbers = || -> io::Result<Vec<u64>> {
        let line = lines.next().transpose()?.unwrap_or_default();
        Ok(line.split_whitespace().filter_map(|word| word.parse().ok()).collect())
    };
    numbers()?;
    let mut heaps = numbers()?;
    loop {
        let sum = heaps.iter().fold(0, |sum, heap| sum ^ heap);
        let Some(heap) = heaps.iter().position(|heap| heap ^ sum < *heap) else { break };
        println!("{} {}", heap + 1, heaps[heap] - (heaps[heap] ^ sum));
        io::stdout().flush()?;
        heaps[heap] ^= sum;
        if heaps.iter().all(|heap| *heap == 0) {
            break;
        }
        let answer = numbers()?;
        if let [heap, amount] = answer[..] {
            heaps[heap as usize - 1] -= amount;
        }
    }
    Ok(())
}
