//! Compares the generated validators with the built-in one on valid, nearly valid and invalid inputs.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::input_notation::{FORMATS, describe, value};
use crate::input::{Description, ExitCodes, Rng};
use crate::model::Digest;
use crate::problem::Recipe;

/// The line of a generated validator after which the part that is specific to the description begins.
const OWN: &str = "\n// The input.\n";
/// Maximum size of the generated inputs, in bytes.
const LARGEST: usize = 20_000;

/// Several generated validators, combined in one program so that only one compilation is needed. The argument selects
/// the validator.
struct Validators {
    program: PathBuf,
    _dir: tempfile::TempDir,
}

impl Validators {
    fn new(descriptions: &[Description]) -> Validators {
        let text =
            |description: &Description| description.stand_alone("A test.", ExitCodes { accepted: 42, refused: 43 });
        let mut whole = text(&descriptions[0]).split_once(OWN).unwrap().0.to_owned();
        let mut cases = String::new();
        for (number, description) in descriptions.iter().enumerate() {
            let text = text(description);
            let own = text.split_once(OWN).unwrap().1.replace("int main()", "int check()");
            whole.push_str(&format!("\nnamespace d{number} {{\n{own}}}\n"));
            cases.push_str(&format!("        case {number}: return d{number}::check();\n"));
        }
        whole.push_str(&format!(
            "int main(int, char** argv) {{\n    switch (std::atoi(argv[1])) {{\n{cases}    }}\n    return 1;\n}}\n"
        ));
        let dir = tempfile::tempdir().unwrap();
        let (source, program) = (dir.path().join("all.cpp"), dir.path().join("all"));
        fs_err::write(&source, whole).unwrap();
        let mut compiler = Command::new("g++");
        compiler.args(["-std=c++17", "-O0", "-Wall", "-Wextra", "-Werror", "-o"]).arg(&program).arg(&source);
        let built = compiler.output().unwrap();
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        Validators { program, _dir: dir }
    }

    /// Returns whether validator `number` accepts the input, and the validator's message.
    fn ask(&self, number: usize, input: &[u8]) -> (bool, String) {
        let mut command = Command::new(&self.program);
        command.arg(number.to_string()).stdin(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A validator that rejects the input may exit before it has read the whole input.
        let _ = child.stdin.take().unwrap().write_all(input);
        let output = child.wait_with_output().unwrap();
        let code = output.status.code().unwrap();
        assert!(code == 42 || code == 43, "{code}");
        (code == 42, String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

/// Applies one random modification to an input, for example to a byte, a number or a line.
fn spoilt(input: &[u8], rng: &mut Rng) -> Vec<u8> {
    const BYTES: &[u8] = b" \n\t\r-+.0123456789aXYN";
    const NUMBERS: [&str; 8] = ["0", "1", "-1", "007", "-0", "9223372036854775807", "9223372036854775808", "1e3"];
    let mut bytes = input.to_vec();
    let text = String::from_utf8_lossy(input).into_owned();
    let tokens: Vec<&str> = text.split_ascii_whitespace().collect();
    let at = rng.place(bytes.len().max(1)).min(bytes.len().saturating_sub(1));
    match rng.below(9) {
        0 if !bytes.is_empty() => drop(bytes.remove(at)),
        1 => bytes.insert(at, BYTES[rng.place(BYTES.len())]),
        2 if !bytes.is_empty() => bytes[at] = BYTES[rng.place(BYTES.len())],
        3 => bytes.truncate(at),
        4 => bytes.push(b'\n'),
        5 if !text.is_empty() => {
            let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
            let (one, other) = (rng.place(lines.len()), rng.place(lines.len()));
            match rng.below(3) {
                0 => lines.swap(one, other),
                1 => drop(lines.remove(one)),
                _ => lines.insert(one, lines[other]),
            }
            return lines.concat().into_bytes();
        }
        _ if !tokens.is_empty() => {
            // Some numbers change by 1 or become another token of the input, so that some modified inputs are valid.
            let (one, other) = (rng.place(tokens.len()), rng.place(tokens.len()));
            let number = |step: i64| tokens[one].parse::<i64>().ok().and_then(|n| n.checked_add(step)).unwrap_or(step);
            let new = match rng.below(5) {
                0 => NUMBERS[rng.place(NUMBERS.len())].to_owned(),
                1 => number(1).to_string(),
                2 => number(-1).to_string(),
                _ => tokens[other].to_owned(),
            };
            let start = tokens[one].as_ptr() as usize - text.as_ptr() as usize;
            let end = start + tokens[one].len();
            return [&input[..start], new.as_bytes(), &input[end..]].concat();
        }
        _ => {}
    }
    bytes
}

/// Returns random inputs that match a description. Most of the inputs are small.
fn right(description: &Description, rng: &mut Rng) -> Vec<Vec<u8>> {
    let bytes = |of: &Description, rng: &mut Rng| {
        let instance = of.generate(rng).ok()?;
        let mut bytes = Vec::new();
        of.write(&instance, &mut bytes);
        (bytes.len() <= LARGEST).then_some(bytes)
    };
    let mut small = description.clone();
    for (name, range) in [("n", "2..=6"), ("t", "1..=3"), ("k", "1..=4"), ("m", "1..=6")] {
        let one = indexmap::IndexMap::from([(name.to_owned(), value(range))]);
        small = small.narrow(&one).ok().filter(|narrow| narrow.generate(rng).is_ok()).unwrap_or(small);
    }
    (0..12).filter_map(|at| bytes(if at < 9 { &small } else { description }, rng)).collect()
}

/// Runs the generated and the built-in validator of each description on its inputs and on `each` modified copies of
/// each input, checks that both validators agree, and returns the numbers of accepted and rejected inputs.
fn compare(descriptions: &[(String, Description, Vec<Vec<u8>>)], each: usize) -> (usize, usize) {
    let all: Vec<Description> = descriptions.iter().map(|(_, description, _)| description.clone()).collect();
    let validators = Validators::new(&all);
    let mut rng = Rng::from_digest(&Digest::of(b"spoilt"));
    let (mut accepted, mut refused) = (0, 0);
    for (number, (name, description, inputs)) in descriptions.iter().enumerate() {
        let mut asked: BTreeSet<Vec<u8>> = inputs.iter().cloned().collect();
        for input in inputs {
            for _ in 0..each {
                let mut changed = spoilt(input, &mut rng);
                if rng.once_in(4) {
                    changed = spoilt(&changed, &mut rng);
                }
                asked.insert(changed);
            }
        }
        for input in asked {
            let ours = description.validate(&input[..], None);
            let (theirs, said) = validators.ask(number, &input);
            let shown = String::from_utf8_lossy(&input).into_owned();
            assert_eq!(ours.is_ok(), theirs, "{name}\n{ours:?}\n{said}\n{shown:?}");
            *if theirs { &mut accepted } else { &mut refused } += 1;
        }
    }
    (accepted, refused)
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn generated_and_built_in_validators_agree_on_the_notation() {
    // These cases are not in `FORMATS`: extreme values in arithmetic, and a permutation in each row.
    let more = [
        "n: 1..=9; a: -2^63..=2^63-1; b: -9..=9\nc: min(a / 2, b)..=max(a, b % 3)\nwhere n * n - a % 7 >= -b\nwhere b != 0",
        "t: 1..=3\nrepeat t: k: 1..=4; p[k]: 1..=9\nwhere permutation(p)",
        "t: 1..=3\nrepeat t: k: 1..=4 | p[k]: 1..=k+1 | w[k]: word a-c 1..=k\nwhere permutation(p)\nwhere distinct(w)",
        "n: 0..=4\nrepeat n: x: -5..=5; y: x..=9\nm: 0..=3\nwhere sum(x) * 2^n <= 40\nwhere min(y) > -3\nwhere x + y != m",
        "a: 0..=9; b: 0..=9\nwhere a / b >= 1\nwhere 10^(a * 9) < 10^30",
    ];
    let mut rng = Rng::from_digest(&Digest::of(b"right"));
    let with_inputs = |text: &&str| {
        let description = describe(text);
        let inputs = right(&description, &mut rng);
        ((*text).to_owned(), description, inputs)
    };
    let descriptions: Vec<_> = FORMATS.iter().chain(&more).map(with_inputs).collect();
    let (accepted, refused) = compare(&descriptions, 12);
    assert!(accepted > 300 && refused > 1000, "{accepted} accepted, {refused} rejected");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn generated_and_built_in_validators_agree_on_all_problems() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("problems");
    let mut rng = Rng::from_digest(&Digest::of(b"problems"));
    let mut descriptions = Vec::new();
    for entry in fs_err::read_dir(root).unwrap() {
        let problem = crate::problem::load(&entry.unwrap().path()).unwrap();
        let mut inputs: Vec<Vec<u8>> =
            problem.samples().iter().map(|sample| sample.input.clone().into_bytes()).collect();
        for group in &problem.groups {
            if let Recipe::Random { description, .. } | Recipe::Every { description, .. } = &group.recipe {
                inputs.extend(right(description, &mut rng).into_iter().take(2));
            }
        }
        descriptions.push((problem.id.to_string(), problem.input, inputs));
    }
    descriptions.sort_by(|a, b| a.0.cmp(&b.0));
    assert!(descriptions.len() >= 26);
    let (accepted, refused) = compare(&descriptions, 8);
    assert!(accepted > 300 && refused > 1000, "{accepted} accepted, {refused} rejected");
}
