// Only the sizes modulo r + 1 matter, and the residues are played as misère Nim: as Nim, but once no residue is above 1 their sum must
// be odd. So each heap has one residue that wins, known from the others, and one amount that leads to it.
use std::io;

fn main() -> io::Result<()> {
    let input = io::read_to_string(io::stdin())?;
    let mut numbers = input.split_whitespace().filter_map(|word| word.parse::<u64>().ok());
    let r = numbers.by_ref().nth(1).unwrap_or(1);
    let heaps: Vec<u64> = numbers.collect();
    let residues = || heaps.iter().map(|heap| heap % (r + 1));
    let nim_sum = residues().fold(0, |sum, residue| sum ^ residue);
    let big = residues().filter(|residue| *residue > 1).count();
    let amount = |heap: u64| {
        let residue = heap % (r + 1);
        let others = nim_sum ^ residue;
        let others_are_small = big == usize::from(residue > 1);
        let target = if others_are_small { others ^ 1 } else { others };
        let taken = if target <= residue { residue - target } else { residue + r + 1 - target };
        Some(taken).filter(|taken| target <= r && *taken > 0 && *taken <= heap)
    };
    let found = heaps.iter().enumerate().find_map(|(index, heap)| Some((index + 1, amount(*heap)?)));
    let (heap, taken) = found.unwrap_or((0, 0));
    println!("{heap} {taken}");
    Ok(())
}
