//! Builds one program in C, C++ or Java that contains many mutants and selects one at run time.

use std::fmt::Write;
use std::ops::Range;

use super::combined_program::CombinedProgram;
use super::language::MutantLanguage;
use super::mutant::{Mutant, SwitchForm};
use super::switches::{SwitchPoint, places};

/// C code that parses the first argument as the id of the active mutant. The C library calls this code with the
/// arguments of `main`, before the initializers of C++ global variables run.
const C_BEGIN: &str = "\
static int nimatron_active = 0;
__attribute__((constructor(101))) static void nimatron_begin(int count, char **words) {
    const char *digit;
    for (digit = count > 1 ? words[1] : \"\"; *digit >= '0' && *digit <= '9'; digit++)
        nimatron_active = nimatron_active * 10 + (*digit - '0');
}
";
/// Java code with the id of the active mutant as a constant. The virtual machine computes the constant when the
/// class is first used, so that a switch takes no time in compiled code.
const JAVA_END: &str = "
class NimatronSwitch {
    static final int ACTIVE = active();

    private static int active() {
        String line = System.getProperty(\"sun.java.command\", \"\");
        try {
            return Integer.parseInt(line.substring(line.lastIndexOf(' ') + 1));
        } catch (NumberFormatException error) {
            return 0;
        }
    }
}
";

/// Builds one program that contains the original and all mutants that can be switched.
pub(super) fn with_ternaries(source: &str, language: MutantLanguage, mutants: &[&Mutant]) -> CombinedProgram {
    let is_java = language == MutantLanguage::Java;
    let active = if is_java { "NimatronSwitch.ACTIVE" } else { "nimatron_active" };
    let mut writer = TernaryWriter { source, active, out: CombinedProgram::new(language) };
    let start = if source.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    if !is_java {
        writer.out.text.push_str(C_BEGIN);
    }
    writer.part(start..source.len(), &places(source, mutants));
    if is_java {
        writer.out.text.push_str(JAVA_END);
    }
    writer.out
}

struct TernaryWriter<'a> {
    source: &'a str,
    /// Expression that evaluates to the id of the active mutant.
    active: &'static str,
    out: CombinedProgram,
}

impl TernaryWriter<'_> {
    /// Writes a range of the source with its switch points.
    fn part(&mut self, span: Range<usize>, places: &[SwitchPoint<'_>]) {
        let mut at = span.start;
        for place in places {
            self.out.text.push_str(&self.source[at..place.span.start]);
            self.place(place);
            at = place.span.end;
        }
        self.out.text.push_str(&self.source[at..span.end]);
    }

    /// Writes a switch. The code of each mutant is on separate lines.
    fn place(&mut self, place: &SwitchPoint<'_>) {
        let (open, close) = match place.form {
            SwitchForm::Statement => ("{", "}"),
            SwitchForm::Condition => ("!!(", ")"),
            SwitchForm::Expression => ("(", ")"),
        };
        let begin = self.out.line();
        self.out.text.push_str(if place.is_statement() { "{\n" } else { "(\n" });
        for (id, text) in &place.mutants {
            let line = self.out.line();
            let active = self.active;
            let _ = match place.is_statement() {
                true => writeln!(self.out.text, "if ({active} == {id}) {open} {text} {close} else"),
                false => writeln!(self.out.text, "{active} == {id} ? {open}{text}{close} :"),
            };
            self.out.own_lines(line, vec![*id]);
        }
        self.out.text.push_str(open);
        self.part(place.span.clone(), &place.inner);
        self.out.text.push_str(close);
        self.out.text.push_str(if place.is_statement() { "\n}" } else { ")" });
        self.out.own_lines(begin, place.mutants.iter().map(|(id, _)| *id).collect());
    }
}
