// A table of all positions of three heaps in order, of which each needs only smaller ones.
use std::io;

#[derive(Clone, Copy, Default)]
struct End {
    wins: bool,
    mine: u32,
    theirs: u32,
}

fn main() -> io::Result<()> {
    let input = io::read_to_string(io::stdin())?;
    let mut heaps: Vec<usize> = input.split_whitespace().skip(1).filter_map(|word| word.parse().ok()).collect();
    heaps.resize(3, 0);
    let side = heaps.iter().max().map_or(1, |most| most + 1);
    let at = |heaps: [usize; 3]| (heaps[0] * side + heaps[1]) * side + heaps[2];
    let mut ends = vec![End::default(); side * side * side];
    for place in 0..ends.len() {
        let here = [place / side / side, place / side % side, place % side];
        let mut best: Option<End> = None;
        for heap in 0..3 {
            for left in 0..here[heap] {
                let mut after = here;
                after[heap] = left;
                let then = ends[at(after)];
                let end = End { wins: !then.wins, mine: then.theirs + (here[heap] - left) as u32, theirs: then.mine };
                if best.is_none_or(|best| (end.wins, end.mine) > (best.wins, best.mine)) {
                    best = Some(end);
                }
            }
        }
        ends[place] = best.unwrap_or_default();
    }
    let end = ends[at([heaps[0], heaps[1], heaps[2]])];
    println!("{} {}", if end.wins { "Yes" } else { "No" }, end.mine);
    Ok(())
}
