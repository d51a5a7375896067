//! Builds a Python or JavaScript program that contains the text of the original and the change of each mutant. The
//! program applies the change that its first argument selects, and runs the resulting text, which is exactly the text
//! of the mutant.

use std::fmt::Write;

use super::combined_program::CombinedProgram;
use super::language::MutantLanguage;
use super::mutant::Mutant;

/// The argument with which a combined program in an interpreted language prints the ids of the mutants that do not
/// compile.
pub const CHECK: &str = "check";

const PYTHON: &str = r#"
def _nimatron(choice):
    def changed(line):
        start, end, text = line.split(b" ")
        return _source[: int(start)] + bytes.fromhex(text.decode()) + _source[int(end) :]

    def compiles(text):
        try:
            compile(text, "main.py", "exec", dont_inherit=True)
            return True
        except (SyntaxError, ValueError):
            return False

    table = dict(line.split(b":") for line in _changes.splitlines())
    if choice == "check":
        for key, line in table.items():
            if not compiles(changed(line)):
                print(key.decode())
        return compile(b"", "main.py", "exec")
    line = table.get(choice.encode())
    return compile(_source if line is None else changed(line), "main.py", "exec", dont_inherit=True)


import sys as _sys

_code = _nimatron(_sys.argv.pop(1) if len(_sys.argv) > 1 else "0")
del _nimatron, _source, _changes, _sys
exec(_code)
"#;

const JAVASCRIPT: &str = r#"
const nimatronChanged = (line) => {
  const [start, end, text] = line.split(' ');
  const source = Buffer.from(nimatronSource);
  const parts = [source.subarray(0, start), Buffer.from(text, 'hex'), source.subarray(end)];
  return Buffer.concat(parts).toString().replace(/^\uFEFF/, '');
};
const nimatronError = (text) => {
  try {
    new (require('vm').Script)(require('module').wrap(text.replace(/^#!.*/, '')));
    return null;
  } catch (error) {
    return error;
  }
};
const nimatronTable = new Map(nimatronChanges.split('\n').map((line) => line.split(':')));
const nimatronOriginal = nimatronSource.replace(/^\uFEFF/, '');
const nimatronIsModule = nimatronError(nimatronOriginal) !== null;
const nimatronImport = (text) => import('data:text/javascript;base64,' + Buffer.from(text).toString('base64'));
const nimatronChoice = process.argv.splice(2, 1)[0] ?? '0';
if (nimatronChoice === 'check') {
  (async () => {
    for (const [id, line] of nimatronTable) {
      if (!id) continue;
      const text = nimatronChanged(line);
      let error = nimatronIsModule ? null : nimatronError(text);
      if (nimatronIsModule) await nimatronImport('throw 0;\n' + text).catch((thrown) => { error = thrown; });
      if (error instanceof SyntaxError) console.log(id);
    }
  })();
} else {
  const line = nimatronTable.get(nimatronChoice);
  const text = line === undefined ? nimatronOriginal : nimatronChanged(line);
  if (nimatronIsModule) nimatronImport(text).catch((error) => { console.error(error); process.exit(1); });
  else module._compile(text.replace(/^#!.*/, ''), __filename);
}
"#;

/// Builds one program that contains the text of the original and the changes of `mutants`.
pub(super) fn with_patches(source: &str, language: MutantLanguage, mutants: &[&Mutant]) -> CombinedProgram {
    let mut changes = String::new();
    for mutant in mutants {
        let text = crate::model::to_hex(mutant.text.as_bytes());
        let _ = writeln!(changes, "{}:{} {} {text}", mutant.id, mutant.span.start, mutant.span.end);
    }
    let mut out = CombinedProgram::new(language);
    let _ = match language {
        MutantLanguage::Python => {
            let (source, changes) = (escaped_bytes(source), escaped_bytes(&changes));
            write!(out.text, "_source = b\"{source}\"\n_changes = b\"{changes}\"\n{PYTHON}")
        }
        _ => {
            let (source, changes) = (escaped_text(source), escaped_text(&changes));
            write!(out.text, "const nimatronSource = {source};\nconst nimatronChanges = {changes};\n{JAVASCRIPT}")
        }
    };
    out
}

/// Returns the text escaped for a Python bytes literal, without the quotes.
fn escaped_bytes(text: &str) -> String {
    text.as_bytes().escape_ascii().to_string()
}

/// Returns the text as a JavaScript string literal.
fn escaped_text(text: &str) -> String {
    let mut out = String::from("\"");
    for unit in text.encode_utf16() {
        match u8::try_from(unit).map(char::from) {
            Ok(c) if c.is_ascii_graphic() && c != '"' && c != '\\' || c == ' ' => out.push(c),
            _ => {
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
    out + "\""
}
