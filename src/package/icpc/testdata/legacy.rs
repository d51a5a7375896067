//! Reads the test groups of the legacy format.

use crate::model::{Diagnostic, Grader, Grading, Part, Points, Rule, ScoreBasis, ScoreMode, VerdictMode};

use super::super::super::tree::join;
use super::super::super::yaml_map::YamlMap;
use super::super::cases::InheritedArgs;
use super::super::scoring::range;
use super::TestDataReader;

/// Settings of a group, which its subgroups inherit in the legacy format.
#[derive(Debug, Clone)]
struct LegacyGroupSettings {
    grader: Grader,
    /// The words of `grader_flags`, which are passed to a custom grader as arguments.
    flags: Vec<String>,
    custom: bool,
    inherited: InheritedArgs,
}

impl TestDataReader<'_> {
    /// Reads the legacy format: a tree of any depth, with inherited settings.
    pub(super) fn read_legacy_root(&mut self) -> Result<Grading, Diagnostic> {
        let settings = LegacyGroupSettings {
            grader: Grader::default(),
            flags: Vec::new(),
            custom: false,
            inherited: InheritedArgs::default(),
        };
        for child in self.folders("data") {
            if child != "sample" && child != "secret" {
                self.notes.push(format!("`data/{child}` is left out: only `sample` and `secret` are judged"));
            }
        }
        self.read_legacy_group("data", settings, |child| child == "sample" || child == "secret")
    }

    fn read_legacy_group(
        &mut self,
        folder: &str,
        mut settings: LegacyGroupSettings,
        wanted: fn(&str) -> bool,
    ) -> Result<Grading, Diagnostic> {
        let config = self.config(folder)?;
        if self.domjudge {
            // DOMjudge's groups inherit nothing from the groups that contain them.
            settings.grader = domjudge_grader(config.is_some());
        }
        if let Some((origin, text)) = config {
            let mut keys = YamlMap::parse(&origin, &text)?;
            self.read_legacy_settings(&mut keys, &mut settings)?;
            keys.finish(self.notes);
        }
        if folder == "data" {
            self.data_args = settings.inherited.clone();
        }
        let mut grader = settings.grader.clone();
        let ignore_sample = self.domjudge && folder == "data" && grader.ignore_sample;
        if self.domjudge {
            // The other flags are unknown to DOMjudge.
            grader = Grader { verdict: VerdictMode::First, accept_if_any: false, ignore_sample: false, ..grader };
        } else {
            grader.program = (settings.custom && self.programs.grader).then(|| settings.flags.clone());
            self.apply_problem_grading(&mut grader);
        }
        // Groups and cases are sorted together, by the names of folders and answer files.
        let mut order: Vec<(String, Option<String>)> = Vec::new();
        order.extend(self.folders(folder).into_iter().filter(|child| wanted(child)).map(|child| (child, None)));
        let stems = self.stems(folder);
        order.extend(stems.into_iter().map(|stem| (format!("{stem}.ans"), Some(stem))));
        order.sort();
        let mut parts = Vec::new();
        for (child, stem) in order {
            match stem {
                Some(stem) => parts.extend(self.case(folder, &stem, &settings.inherited)?.map(Part::Case)),
                None => {
                    parts.push(Part::Group(self.read_legacy_group(&join(folder, &child), settings.clone(), |_| true)?));
                }
            }
        }
        if ignore_sample {
            parts.iter_mut().for_each(ignore_if_sample);
        }
        let name = folder.strip_prefix("data/").unwrap_or("").to_owned();
        Ok(Grading { name, rule: Rule::Grader(grader), parts })
    }

    /// Applies the `grading` of the legacy `problem.yaml`, which takes precedence over the settings of groups.
    fn apply_problem_grading(&self, grader: &mut Grader) {
        grader.accept_score = self.old.accept_score.unwrap_or(grader.accept_score);
        grader.reject_score = self.old.reject_score.unwrap_or(grader.reject_score);
        grader.range = self.old.range.as_deref().and_then(range).unwrap_or(grader.range);
        grader.stop = self.old.stop.unwrap_or(grader.stop);
    }

    fn read_legacy_settings(
        &mut self,
        keys: &mut YamlMap<'_>,
        settings: &mut LegacyGroupSettings,
    ) -> Result<(), Diagnostic> {
        let grader = &mut settings.grader;
        match keys.string("on_reject")?.as_deref() {
            None => {}
            Some("break") => grader.stop = true,
            Some("continue") => grader.stop = false,
            Some(_) => return Err(keys.error("on_reject", "expected `break` or `continue`")),
        }
        match keys.string("grading")?.as_deref() {
            None => {}
            Some("default") => settings.custom = false,
            Some("custom") => (settings.custom, self.custom_grader) = (true, true),
            Some(_) => return Err(keys.error("grading", "expected `default` or `custom`")),
        }
        if let Some(flags) = keys.words("grader_flags")? {
            (grader.verdict, grader.score) = (VerdictMode::Worst, ScoreMode::Sum);
            (grader.ignore_sample, grader.accept_if_any) = (false, false);
            let of_default = !settings.custom || !self.programs.grader;
            for flag in &flags {
                if !set_flag(grader, flag) && of_default {
                    self.notes.push(format!(
                        "the grader flag `{flag}` is ignored, because the default grader does not support it"
                    ));
                }
            }
            settings.flags = flags;
        }
        let points = |score: Option<f64>| score.and_then(Points::nearest);
        grader.accept_score = points(keys.number("accept_score")?).unwrap_or(grader.accept_score);
        grader.reject_score = points(keys.number("reject_score")?).unwrap_or(grader.reject_score);
        if let Some(text) = keys.string("range")? {
            grader.range = range(&text).ok_or_else(|| keys.error("range", "expected two numbers, such as `0 100`"))?;
        }
        settings.inherited.take(keys)
    }
}

/// Returns DOMjudge's settings of a group before its configuration file is read, if it has one.
fn domjudge_grader(has_config: bool) -> Grader {
    let basis = if has_config { ScoreBasis::Group } else { ScoreBasis::Nothing };
    Grader { accept_score: Points::ZERO, basis, stop: has_config, ..Grader::default() }
}

/// Excludes the group of samples from the result of the group that contains it.
fn ignore_if_sample(part: &mut Part) {
    if let Part::Group(Grading { name, rule: Rule::Grader(rule), .. }) = part
        && name == "sample"
    {
        rule.basis = ScoreBasis::Nothing;
    }
}

/// Sets a flag of the default grader. Returns false if the flag is unknown.
fn set_flag(grader: &mut Grader, flag: &str) -> bool {
    match flag {
        "worst_error" | "no_errors" => grader.verdict = VerdictMode::Worst,
        "first_error" => grader.verdict = VerdictMode::First,
        "always_accept" => grader.verdict = VerdictMode::Accept,
        "sum" => grader.score = ScoreMode::Sum,
        "avg" => grader.score = ScoreMode::Average,
        "min" => grader.score = ScoreMode::Least,
        "max" => grader.score = ScoreMode::Most,
        "ignore_sample" => grader.ignore_sample = true,
        "accept_if_any_accepted" => grader.accept_if_any = true,
        _ => return false,
    }
    true
}
