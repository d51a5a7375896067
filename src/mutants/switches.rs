//! Builds one Rust program that contains many mutants and selects one at run time by switches.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::fmt::Write;
use std::ops::Range;

use super::combined_program::CombinedProgram;
use super::find::{MutateError, start_of_main};
use super::language::MutantLanguage;
use super::mutant::{Mutant, SwitchForm, SwitchSite};

/// Expression that evaluates to the id of the active mutant. The call is inlined to a single relaxed load, so a switch
/// inside a loop takes little time.
const ACTIVE_CALL: &str = "crate::nimatron_switch::active()";

/// A range of code that becomes a switch, with the mutants of the range and the switch points inside it.
pub(super) struct SwitchPoint<'a> {
    pub(super) span: Range<usize>,
    pub(super) form: SwitchForm,
    pub(super) mutants: Vec<(u32, Cow<'a, str>)>,
    pub(super) inner: Vec<SwitchPoint<'a>>,
}

impl SwitchPoint<'_> {
    pub(super) fn is_statement(&self) -> bool {
        self.form == SwitchForm::Statement
    }
}

/// Builds one program that contains the original and all mutants that have a [`SwitchSite`].
///
/// # Errors
/// Fails if the text is not a Rust program with a `main`.
pub(super) fn with_switches(source: &str, mutants: &[&Mutant]) -> Result<CombinedProgram, MutateError> {
    let main = start_of_main(source)?;
    let mut writer = SwitchWriter { source, main, begun: false, out: CombinedProgram::new(MutantLanguage::Rust) };
    writer.part(0..source.len(), &places(source, mutants));
    let _ = write!(
        writer.out.text,
        "\nmod nimatron_switch {{
    use std::sync::atomic::{{AtomicU32, Ordering}};
    static ACTIVE: AtomicU32 = AtomicU32::new(0);
    pub fn begin() {{
        let chosen = std::env::args().nth(1).and_then(|id| id.parse().ok());
        ACTIVE.store(chosen.unwrap_or(0), Ordering::Relaxed);
    }}
    #[inline(always)]
    pub fn active() -> u32 {{
        ACTIVE.load(Ordering::Relaxed)
    }}
}}
"
    );
    Ok(writer.out)
}

/// Returns the switch points of the mutants that have a [`SwitchSite`], nested by their ranges.
pub(super) fn places<'a>(source: &str, mutants: &[&'a Mutant]) -> Vec<SwitchPoint<'a>> {
    let with_site = |mutant: &&'a Mutant| Some((*mutant, mutant.site.as_ref()?));
    let mut sites: Vec<(&Mutant, &SwitchSite)> = mutants.iter().filter_map(with_site).collect();
    sites.sort_by_key(|(mutant, site)| {
        (site.span.start, Reverse(site.span.end), site.form != SwitchForm::Statement, mutant.id)
    });
    let mut roots = Vec::new();
    for (mutant, site) in sites {
        put(&mut roots, site, (mutant.id, mutant.switched(source, site)));
    }
    roots
}

/// Adds a mutant to the switch point at `site`. The switch point is created if it does not exist. The sites must be
/// added in the order of [`places`].
fn put<'a>(list: &mut Vec<SwitchPoint<'a>>, site: &SwitchSite, mutant: (u32, Cow<'a, str>)) {
    match list.last_mut() {
        Some(last) if last.span == site.span && last.is_statement() == (site.form == SwitchForm::Statement) => {
            last.mutants.push(mutant);
            last.form = last.form.max(site.form);
        }
        Some(last) if last.span.end >= site.span.end => put(&mut last.inner, site, mutant),
        _ => list.push(SwitchPoint {
            span: site.span.clone(),
            form: site.form,
            mutants: vec![mutant],
            inner: Vec::new(),
        }),
    }
}

struct SwitchWriter<'a> {
    source: &'a str,
    /// Byte position after the opening brace of `main`.
    main: usize,
    /// Whether the call at the start of `main` that reads the id has been written.
    begun: bool,
    out: CombinedProgram,
}

impl SwitchWriter<'_> {
    /// Writes a range of the source with its switch points.
    fn part(&mut self, span: Range<usize>, places: &[SwitchPoint<'_>]) {
        let mut at = span.start;
        for place in places {
            self.plain(at..place.span.start);
            self.place(place);
            at = place.span.end;
        }
        self.plain(at..span.end);
    }

    fn plain(&mut self, span: Range<usize>) {
        let text = &self.source[span.clone()];
        if (span.start..=span.end).contains(&self.main) && !std::mem::replace(&mut self.begun, true) {
            let (before, after) = text.split_at(self.main - span.start);
            self.out.text.push_str(before);
            self.out.text.push_str("crate::nimatron_switch::begin(); ");
            self.out.text.push_str(after);
        } else {
            self.out.text.push_str(text);
        }
    }

    /// Writes a switch. Each arm starts on a new line. The first arm contains the original code, so that the compiler
    /// expects the same type in the other arms.
    fn place(&mut self, place: &SwitchPoint<'_>) {
        let all: Vec<u32> = place.mutants.iter().map(|(id, _)| *id).collect();
        let begin = self.out.line();
        let ids = all.iter().map(u32::to_string).collect::<Vec<_>>().join(" | ");
        let (open, close) = if place.is_statement() { ("", "}") } else { ("(", "})") };
        // Without parentheses, an arm that starts with a block, such as that of an `if`, would end after the block.
        let (before, after) = if place.is_statement() { ("{ ", " }\n") } else { ("(", "),\n") };
        let _ = write!(self.out.text, "{open}match {ACTIVE_CALL} {{\nid if !matches!(id, {ids}) => {before}");
        self.part(place.span.clone(), &place.inner);
        self.out.text.push_str(after);
        for (index, (id, text)) in place.mutants.iter().enumerate() {
            let line = self.out.line();
            let pattern = if index + 1 == place.mutants.len() { "_".to_owned() } else { id.to_string() };
            let _ = write!(self.out.text, "{pattern} => {before}{text}{after}");
            self.out.own_lines(line, vec![*id]);
        }
        self.out.text.push_str(close);
        self.out.own_lines(begin, all);
    }
}
