//! Measures the time to render the gradebook of a large synthetic class.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::grade::class::Enrolled;
use crate::grade::gradebook::GradebookColumn;
use crate::grade::key::Key;
use crate::grade::marks::AttemptResult;
use crate::grade::review_flags::FlagKind;
use crate::grade::roster::{Claim, Roster};
use crate::grade::submission::SubmissionState;
use crate::model::{Digest, Level, Score, Verdict};
use crate::service::JudgeOptions;

use super::class_plan::{ClassPlan, KnownResult, KnownResults};
use super::class_settings::ClassRules;
use super::gradebook_view::{MarkContext, gradebook_view};

const STUDENTS: usize = 300;
const PROBLEMS: usize = 30;

#[test]
#[ignore = "measures time; run by .ci/long"]
fn long_gradebook_of_300_students_and_30_problems_takes_at_most_300_ms() {
    let ids: Vec<_> = (0..PROBLEMS).map(|problem| format!("problem-{problem:02}").parse().unwrap()).collect();
    let columns = ids.iter().cloned().map(|id| GradebookColumn {
        name: format!("{id}"),
        id,
        max: Score::points(100),
        scored: false,
    });
    let places = (0..STUDENTS).flat_map(|student| (0..PROBLEMS).map(move |problem| (student, problem)));
    let claims: Vec<Claim> = places
        .map(|(student, problem)| Claim {
            student: format!("student-{student:03}"),
            number: None,
            problem,
            path: format!("student-{student:03}/problem-{problem:02}.py"),
            files: vec![],
            attempt: 0,
            at: None,
            guesses: vec![],
        })
        .collect();
    let digest = |claim: &Claim| Digest::of(claim.path.as_bytes());
    let key = |claim| {
        let source = digest(claim);
        Key { source, data: source, limits: source, toolchain: source, isolation: Level::A }
    };
    let score = |place: usize| Score::points(u32::try_from(place * 7 % 101).unwrap());
    let result = |place| AttemptResult::Result {
        verdict: Verdict::Partial,
        score: score(place),
        max: Score::points(100),
        cases: (1, 2),
    };
    let results = |place| KnownResult { attempt: result(place), flags: vec![FlagKind::NearTime] };
    let known = KnownResults {
        results: claims.iter().enumerate().map(|(place, claim)| (key(claim).whole(), results(place))).collect(),
        faults: HashMap::new(),
    };
    let rules = ClassRules { policy: "partial: true\nlate: { off: 10 }\n".to_owned(), ..ClassRules::default() };
    let mut plan = ClassPlan {
        rules: rules.marking(&ids, &[]).unwrap(),
        options: JudgeOptions::default(),
        targets: Arc::default(),
        columns: columns.collect(),
        states: claims.iter().map(|claim| Some(SubmissionState::Program(key(claim)))).collect(),
        by_key: HashMap::new(),
        results: Vec::new(),
        queue: VecDeque::new(),
    };
    plan.update_all(&known);
    let students: BTreeSet<String> = claims.iter().map(|claim| claim.student.clone()).collect();
    let roster = Roster { layout: "made up".to_owned(), claims, students, left: vec![] };
    let enrolled = Enrolled { files: vec![], roster, charsets: BTreeSet::new() };
    let start = Instant::now();
    let context = MarkContext {
        plan: &plan,
        roster: &enrolled.roster,
        queued: HashSet::new(),
        running: HashSet::new(),
        known: &known,
    };
    let view = gradebook_view(&context, &plan.book(&enrolled), 1);
    let text = serde_json::to_string(&view).unwrap();
    let took = start.elapsed();
    let totals: BTreeMap<&str, Option<f64>> =
        view.students.iter().map(|student| (student.student.as_str(), student.total)).collect();
    assert_eq!((totals.len(), view.students[0].marks.len()), (STUDENTS, PROBLEMS));
    assert!(took <= Duration::from_millis(300), "{took:?}");
    println!("{took:?} for {} KiB", text.len() >> 10);
}
