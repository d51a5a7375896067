// Grundy values from the bottom up: the value of a heap is the mex of the values that its moves lead to.
use std::io;

fn main() -> io::Result<()> {
    let input = io::read_to_string(io::stdin())?;
    let mut numbers = input.split_whitespace().filter_map(|word| word.parse::<usize>().ok());
    let k = numbers.next().unwrap_or(0);
    let moves: Vec<usize> = numbers.by_ref().take(k).collect();
    let heaps: Vec<usize> = numbers.skip(1).collect();
    let values = grundy(heaps.iter().copied().max().unwrap_or(0), &moves);
    let nim_sum = heaps.iter().fold(0, |sum, &heap| sum ^ values[heap]);
    println!("{}", if nim_sum == 0 { "No" } else { "Yes" });
    Ok(())
}

fn grundy(largest: usize, moves: &[usize]) -> Vec<usize> {
    let mut values = Vec::with_capacity(largest + 1);
    for heap in 0..=largest {
        // As many moves as there are can rule out no more values than that.
        let mut seen = vec![false; moves.len() + 1];
        for rest in moves.iter().filter_map(|&s| heap.checked_sub(s)) {
            let value: usize = values[rest];
            seen[value] = true;
        }
        values.push(seen.iter().take_while(|&&seen| seen).count());
    }
    values
}
