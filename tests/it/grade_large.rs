//! Grades a synthetic class with known marks. The class is generated from a seed and the solutions in the repository.
//!
//! The grader is killed repeatedly and must still produce every mark. By default the class is small; the full size
//! takes hours: `NIMATRON_CLASS=300 cargo test --test it -- --ignored grade_large --nocapture`, or less with a release
//! build in `NIMATRON_BIN`.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nimatron::input::Rng;
use nimatron::model::Digest;
use walkdir::WalkDir;

use crate::project::Project;

const PROBLEMS: [&str; 5] = ["classic-nim", "split-nim", "staircase-nim", "misere-nim", "subtraction-game"];
/// File extensions of the languages used, which are widely installed, and the start of a line comment in each.
const LANGUAGES: [(&str, &str); 4] = [("py", "#"), ("c", "//"), ("cpp", "//"), ("rs", "//")];
const KILLS: usize = 20;

/// Malicious or invalid programs, which earn no points.
const HOSTILE: [(&str, &str); 6] = [
    ("py", "import os\nwhile True: os.fork()\n"),
    ("py", "a = []\nwhile True: a.append(bytearray(1 << 20))\n"),
    ("py", "while True: print('7' * 4096)\n"),
    ("py", "import os\nos.kill(os.getppid(), 9)\nos.kill(1, 9)\n"),
    ("py", "open('/etc/passwd').read()\nopen('/proc/self/oom_score_adj', 'w').write('-1000')\n"),
    ("c", "#include \"/etc/shadow\"\nint main(void) { return 0; }\n"),
];

/// A solution of a problem: file extension, source, and whether it is accepted.
struct Solution {
    ending: String,
    text: String,
    good: bool,
}

fn solutions(problem: &str) -> Vec<Solution> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("solutions").join(problem);
    let mut found = Vec::new();
    for entry in WalkDir::new(&root).min_depth(2).max_depth(2).sort_by_file_name() {
        let path = entry.unwrap().into_path();
        let folder = path.parent().unwrap().file_name().unwrap().to_str().unwrap().to_owned();
        let ending = path.extension().and_then(|end| end.to_str()).unwrap_or("").to_owned();
        if path.is_file() && LANGUAGES.iter().any(|(known, _)| *known == ending) {
            let text = fs_err::read_to_string(&path).unwrap();
            found.push(Solution { ending, text, good: folder == "accepted" });
        }
    }
    assert!(found.iter().any(|solution| solution.good) && found.iter().any(|solution| !solution.good), "{problem}");
    found
}

/// Returns a student's submission for a problem: its file extension, content and mark. `None` if the student submits
/// nothing.
fn program(rng: &mut Rng, solutions: &[Solution], number: usize) -> Option<(String, Vec<u8>, u32)> {
    let pick = |rng: &mut Rng, good: bool| {
        let of: Vec<&Solution> = solutions.iter().filter(|solution| solution.good == good).collect();
        of[usize::try_from(rng.below(of.len() as u64)).unwrap()]
    };
    let kind = rng.below(100);
    Some(match kind {
        0..4 => return None,
        4..6 => ("py".to_owned(), Vec::new(), 0),
        6..8 => ("py".to_owned(), vec![0, 159, 146, 150], 0),
        8..12 => {
            let (ending, text) = HOSTILE[usize::try_from(rng.below(HOSTILE.len() as u64)).unwrap()];
            (ending.to_owned(), text.into(), 0)
        }
        // These are an exact copy, a copy with a unique comment, and a copy that is truncated in the middle of a word.
        12..40 => {
            let chosen = pick(rng, kind < 30);
            (chosen.ending.clone(), chosen.text.clone().into(), if chosen.good { 100 } else { 0 })
        }
        40..94 => {
            let chosen = pick(rng, kind < 75);
            let comment = LANGUAGES.iter().find(|(ending, _)| *ending == chosen.ending).unwrap().1;
            let text = format!("{}\n{comment} student {number}\n", chosen.text.trim_end());
            (chosen.ending.clone(), text.into(), if chosen.good { 100 } else { 0 })
        }
        _ => {
            let chosen = pick(rng, true);
            (chosen.ending.clone(), format!("{}\n(((\n", chosen.text).into(), 0)
        }
    })
}

/// Generates the class and its expected gradebook.
fn class(students: usize) -> (Project, String) {
    let mut project = Project::new();
    let mut rng = Rng::from_digest(&Digest::of(b"a class"));
    let all: BTreeMap<&str, Vec<Solution>> = PROBLEMS.iter().map(|problem| (*problem, solutions(problem))).collect();
    let mut book = format!("student,{},total\n", PROBLEMS.join(","));
    for number in 1..=students {
        let student = format!("s{number:04}");
        let mut total = 0;
        project = project.file(&format!("class/{student}/readme.txt"), "my homework\n");
        write!(book, "{student}").unwrap();
        for problem in PROBLEMS {
            let handed_in = program(&mut rng, &all[problem], number);
            let mark = handed_in.as_ref().map_or(0, |(_, _, mark)| *mark);
            if let Some((ending, bytes, _)) = handed_in {
                project = project.file(&format!("class/{student}/{problem}.{ending}"), bytes);
            }
            total += mark;
            write!(book, ",{mark}").unwrap();
        }
        writeln!(book, ",{total}").unwrap();
    }
    (project, book)
}

/// Writes the class and the expected gradebook to the folder `NIMATRON_CLASS_DIR`, for grading by hand.
#[test]
#[ignore = "writes a class for a person"]
fn long_a_class_can_be_written() {
    let Ok(to) = std::env::var("NIMATRON_CLASS_DIR") else { return println!("skipped: NIMATRON_CLASS_DIR is not set") };
    let (project, expected) = class(students());
    for entry in WalkDir::new(project.path("class")) {
        let entry = entry.unwrap();
        let at = Path::new(&to).join(entry.path().strip_prefix(project.path("")).unwrap());
        if entry.file_type().is_dir() {
            fs_err::create_dir_all(at).unwrap();
        } else {
            fs_err::copy(entry.path(), at).unwrap();
        }
    }
    fs_err::write(Path::new(&to).join("expected.csv"), expected).unwrap();
}

fn students() -> usize {
    std::env::var("NIMATRON_CLASS").ok().and_then(|text| text.parse().ok()).unwrap_or(6)
}

#[test]
#[ignore = "takes minutes for a small class and hours for a whole one"]
fn long_a_class_is_right_despite_kills() {
    let students = students();
    let (mut project, expected) = class(students);
    // The folder is kept if the test fails, because its database has the times and verdicts.
    println!("in {}", project.keep(true).display());
    let problems = Path::new(env!("CARGO_MANIFEST_DIR")).join("problems");
    let args = |out: &'static str| -> Vec<String> {
        let mut args = vec!["grade".to_owned()];
        args.extend(PROBLEMS.map(str::to_owned));
        args.extend(["class", "--problems"].map(str::to_owned));
        args.push(problems.display().to_string());
        args.extend(["--out", out, "-q"].map(str::to_owned));
        args
    };
    let run = |out| {
        let args = args(out);
        project.run(&args.iter().map(String::as_str).collect::<Vec<_>>()).code(0)
    };
    let start = Instant::now();
    let ran = run("whole");
    println!("{students} students in {:.0} s: {}", start.elapsed().as_secs_f64(), ran.stdout.trim());
    assert_eq!(differing(&read(&project.path("whole/gradebook.csv")), &expected), Vec::<String>::new());
    // The builds are cached now, so the second run is faster.
    let whole = start.elapsed();
    let mut rng = Rng::from_digest(&Digest::of(b"kills"));
    for _ in 0..KILLS {
        let args = args("killed");
        let mut child = project.start(&args.iter().map(String::as_str).collect::<Vec<_>>());
        let most = u64::try_from(whole.as_millis()).unwrap() / 10;
        std::thread::sleep(Duration::from_millis(50 + rng.below(most.max(1))));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    run("killed");
    for book in ["gradebook.csv", "gradebook.json", "likeness.csv"] {
        let of = |out: &str| read(&project.path(&format!("{out}/{book}")));
        assert!(of("killed") == of("whole"), "{book}: {:?}", differing(&of("killed"), &of("whole")));
    }
    project.keep(false);
}

/// Returns the differing lines of two gradebooks, with the expected text.
fn differing(book: &str, expected: &str) -> Vec<String> {
    assert_eq!(book.lines().count(), expected.lines().count());
    let wrong = book.lines().zip(expected.lines()).filter(|(line, wanted)| line != wanted);
    wrong.map(|(line, wanted)| format!("{line}, and not {wanted}")).collect()
}

fn read(path: &PathBuf) -> String {
    fs_err::read_to_string(path).unwrap()
}
