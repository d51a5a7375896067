//! What must come of a package's program, held against what came of it. Pure.

use crate::model::{Score, Verdict};
use crate::package::{Kind, Want, What, glob_matches};

/// What came of a program.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Came {
    /// The verdict on the whole.
    pub(super) verdict: Option<Verdict>,
    /// The points, and the most there are.
    pub(super) score: (Score, Score),
    /// The least of the points that there are.
    pub(super) least: Score,
    /// Each case that was run: its name, its verdict, the judge's message.
    pub(super) cases: Vec<(String, Verdict, String)>,
    /// The points of groups.
    pub(super) groups: Vec<(String, Score)>,
}

/// Everything that is otherwise than promised, in words.
pub(super) fn broken(wants: &[Want], kind: Kind, came: &Came) -> Vec<String> {
    wants.iter().filter_map(|want| check(want, kind, came).err().map(|why| format!("{why} ({})", want.by))).collect()
}

fn check(want: &Want, kind: Kind, came: &Came) -> Result<(), String> {
    let cases = || {
        let wanted = |name: &str| want.of.as_ref().is_none_or(|of| glob_matches(of, name));
        came.cases.iter().filter(move |(name, ..)| wanted(name))
    };
    let of = want.of.as_ref().map(|of| format!(" in {of}")).unwrap_or_default();
    match &want.what {
        What::Final(verdicts) => {
            let Some(verdict) = came.verdict else { return Err("there is no verdict".to_owned()) };
            // With points, part of them is as much as accepted.
            let partial = kind.scoring && verdict == Verdict::Partial && verdicts.contains(&Verdict::Accepted);
            let wanted: Vec<&str> = verdicts.iter().take(1).map(|verdict| verdict.short()).collect();
            if verdicts.contains(&verdict) || partial {
                return Ok(());
            }
            Err(format!("{verdict} ({}) instead of {}", verdict.long(), wanted.join("/")))
        }
        What::Permitted(verdicts) => match cases().find(|(_, verdict, _)| !permitted(verdicts, *verdict)) {
            Some((name, verdict, _)) => Err(format!("{verdict} in {name} is not permitted")),
            None => Ok(()),
        },
        What::Required(verdicts) => match cases().any(|(_, verdict, _)| permitted(verdicts, *verdict)) {
            true => Ok(()),
            false => {
                let names: Vec<&str> = verdicts.iter().map(|verdict| verdict.short()).collect();
                Err(format!("no case is {}{of}", names.join("/")))
            }
        },
        What::Score(low, high) => {
            let groups = |of: &String| {
                let matching = came.groups.iter().filter(|(name, _)| glob_matches(of, name));
                matching.map(|(_, score)| *score).collect()
            };
            let scores: Vec<Score> = match &want.of {
                Some(of) if of != "secret" => groups(of),
                _ => vec![came.score.0],
            };
            let scores = scores.into_iter().map(|score| score.as_thousandths() as f64 / 1_000.0);
            let scores: Vec<f64> = scores.collect();
            match scores.iter().find(|score| !(low - 0.0005..=high + 0.0005).contains(*score)) {
                Some(score) => Err(format!("{score} points{of} instead of {low} to {high}")),
                None if scores.is_empty() => Err(format!("there are no points{of}")),
                None => Ok(()),
            }
        }
        What::NotBest => {
            let best = if kind.minimize { came.least } else { came.score.1 };
            match came.score.0 == best {
                true => Err("the best points there are".to_owned()),
                false => Ok(()),
            }
        }
        What::Message(text) => match cases().any(|(_, _, message)| message.contains(text.as_str())) {
            true => Ok(()),
            false => Err(format!("no message of the judge has `{text}` in it{of}")),
        },
    }
}

/// Whether a case's verdict is among these; a part of a case's points is as much as accepted.
fn permitted(verdicts: &[Verdict], verdict: Verdict) -> bool {
    verdicts.contains(&verdict) || verdict == Verdict::Partial && verdicts.contains(&Verdict::Accepted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{Accepted, Partial, TimeLimit, WrongAnswer};

    fn want(what: What) -> Want {
        Want { by: "x".to_owned(), of: None, what }
    }

    fn came(verdict: Verdict, score: u32, cases: &[(&str, Verdict)]) -> Came {
        Came {
            verdict: Some(verdict),
            score: (Score::points(score), Score::points(100)),
            least: Score::ZERO,
            cases: cases.iter().map(|(name, verdict)| ((*name).to_owned(), *verdict, "said".to_owned())).collect(),
            groups: vec![("secret/a".to_owned(), Score::points(score)), ("secret/b".to_owned(), Score::ZERO)],
        }
    }

    #[test]
    fn promises_are_kept_or_broken() {
        let scoring = Kind { scoring: true, ..Kind::default() };
        let cases = [("sample/1", Accepted), ("secret/a/1", TimeLimit)];
        let result = came(Partial, 40, &cases);
        let kept = |what: What, of: Option<&str>| {
            let want = Want { of: of.map(str::to_owned), ..want(what) };
            broken(&[want], scoring, &result).is_empty()
        };
        assert!(kept(What::Final(vec![Accepted]), None));
        assert!(!kept(What::Final(vec![WrongAnswer]), None));
        assert!(kept(What::NotBest, None));
        assert!(kept(What::Permitted(vec![Accepted, TimeLimit]), None));
        assert!(!kept(What::Permitted(vec![Accepted]), None));
        assert!(kept(What::Permitted(vec![Accepted]), Some("sample")));
        assert!(kept(What::Required(vec![TimeLimit]), Some("secret/*")));
        assert!(!kept(What::Required(vec![WrongAnswer]), None));
        assert!(kept(What::Score(40.0, 40.0), None));
        assert!(!kept(What::Score(41.0, 50.0), Some("secret/a")));
        assert!(kept(What::Score(0.0, 40.0), Some("secret/*")));
        assert!(!kept(What::Score(40.0, 40.0), Some("secret/*")), "each of them");
        assert!(kept(What::Message("ai".to_owned()), None));
        assert!(!kept(What::Message("no".to_owned()), None));
        let pass_fail = broken(&[want(What::Final(vec![Accepted]))], Kind::default(), &came(WrongAnswer, 0, &cases));
        assert_eq!(pass_fail, ["WA (wrong answer) instead of AC (x)"]);
    }
}
