// Each value depends on as many values before it as the largest move takes. So the first time that such a window has been
// seen before, the values repeat from there on; no earlier start is possible, because its window would have been seen before too.
use std::collections::HashMap;
use std::io;

fn main() -> io::Result<()> {
    let input = io::read_to_string(io::stdin())?;
    let numbers: Vec<u64> = input.split_whitespace().skip(1).filter_map(|word| word.parse().ok()).collect();
    let Some((&heap, set)) = numbers.split_last() else { return Ok(()) };
    let window = set.iter().copied().max().unwrap_or(1) as usize;
    let mut values: Vec<u8> = Vec::new();
    let mut seen = HashMap::new();
    let (preperiod, period) = loop {
        let size = values.len();
        let mut reached = 0_u32;
        for &taken in set {
            if let Some(rest) = size.checked_sub(taken as usize) {
                reached |= 1 << values[rest];
            }
        }
        values.push(reached.trailing_ones() as u8);
        if values.len() >= window {
            let start = values.len() - window;
            if let Some(before) = seen.insert(values[start..].to_vec(), start) {
                break (before as u64, (start - before) as u64);
            }
        }
    };
    let place = if heap < preperiod { heap } else { preperiod + (heap - preperiod) % period };
    println!("{preperiod} {period} {}", values[place as usize]);
    Ok(())
}
