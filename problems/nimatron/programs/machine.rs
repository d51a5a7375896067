//! The interactor of nimatron: plays Nim against the program, which begins, and never loses a won position.

use nimatron_kit::*;

fn main() -> std::process::ExitCode {
    interactor(|talk| {
        let n: usize = talk.input.int(1..=16)?;
        let mut heaps: Vec<u64> = talk.input.ints(n, 0..=300)?;
        let way = talk.input.choice(&["slow", "quick", "any"])?;
        let mut random = Random::new(heaps.iter().fold(way as u64, |seed, heap| seed.wrapping_mul(307).wrapping_add(*heap)));
        talk.say(n)?;
        talk.say(joined(&heaps))?;
        let mut mistake = String::new();
        for number in 1.. {
            let heap: usize = talk.heard.int(1..=n)?;
            let amount: u64 = talk.heard.int(1..=300)?;
            if amount > heaps[heap - 1] {
                let size = heaps[heap - 1];
                return wrong(format!("move {}: heap {} holds {} stones, and {} are taken", number, heap, size, amount));
            }
            heaps[heap - 1] -= amount;
            if heaps.iter().all(|heap| *heap == 0) {
                return accept(format!("won in {} moves", number));
            }
            if mistake.is_empty() && nim_sum(&heaps) != 0 {
                mistake = format!("its move {}, {} from heap {}, gave the win away", number, amount, heap);
            }
            let (heap, amount) = answer(&heaps, way, &mut random);
            heaps[heap] -= amount;
            talk.say(format!("{} {}", heap + 1, amount))?;
            if heaps.iter().all(|heap| *heap == 0) {
                break;
            }
        }
        wrong(format!("the machine takes the last stone; {}", mistake))
    })
}

/// The machine's move: a winning one if there is one, otherwise one in its own way.
fn answer(heaps: &[u64], way: usize, random: &mut Random) -> (usize, u64) {
    let sum = nim_sum(heaps);
    if let Some(heap) = (0..heaps.len()).find(|&heap| heaps[heap] ^ sum < heaps[heap]) {
        return (heap, heaps[heap] - (heaps[heap] ^ sum));
    }
    let full: Vec<usize> = (0..heaps.len()).filter(|&heap| heaps[heap] > 0).collect();
    let heap = full[random.below(full.len())];
    let amount = match way {
        0 => 1,
        1 => heaps[heap],
        _ => random.between(1, heaps[heap]),
    };
    (heap, amount)
}
