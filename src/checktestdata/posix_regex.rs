//! Translates POSIX extended regular expressions to the syntax of the regex crate.

/// Maximum number of consecutive quantifiers.
const MOST_QUANTIFIERS: usize = 20;
/// Maximum nesting depth of groups.
const DEEPEST: usize = 200;
const CLASSES: [&str; 12] =
    ["alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "xdigit"];

/// Translates a pattern in which each byte is a character.
///
/// # Errors
/// Returns a message if the pattern is invalid.
pub(super) fn translate(pattern: &[u8]) -> Result<String, String> {
    let mut translator =
        RegexTranslator { pattern, at: 0, text: String::new(), atom: None, quantifiers: 0, groups: Vec::new() };
    while let Some(byte) = translator.next() {
        translator.piece(byte)?;
    }
    if translator.groups.is_empty() { Ok(translator.text) } else { Err("unclosed group".to_owned()) }
}

struct RegexTranslator<'a> {
    pattern: &'a [u8],
    at: usize,
    text: String,
    /// Position in `text` of the start of the expression that a quantifier would repeat; `None` if there is no such
    /// expression.
    atom: Option<usize>,
    /// Number of consecutive quantifiers that were applied to the expression at `atom` so far.
    quantifiers: usize,
    /// Positions in `text` at which the open groups start.
    groups: Vec<usize>,
}

impl RegexTranslator<'_> {
    fn peek(&self) -> Option<u8> {
        self.pattern.get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    /// Records the start of an expression that a quantifier can repeat.
    fn begin(&mut self, at: usize) {
        self.atom = Some(at);
        self.quantifiers = 0;
    }

    fn piece(&mut self, byte: u8) -> Result<(), String> {
        let start = self.text.len();
        match byte {
            b'\\' => match self.next() {
                None => return Err("trailing backslash".to_owned()),
                Some(byte) if byte.is_ascii_alphanumeric() => {
                    return Err(format!("`\\{}` is not a POSIX escape sequence", char::from(byte)));
                }
                Some(byte) => {
                    self.begin(start);
                    self.literal(byte);
                }
            },
            b'[' => {
                self.begin(start);
                self.class()?;
            }
            b'(' => {
                if self.groups.len() >= DEEPEST {
                    return Err(format!("groups are nested more than {DEEPEST} levels deep"));
                }
                self.groups.push(start);
                self.text.push_str("(?:");
                self.atom = None;
            }
            b')' => {
                let group = self.groups.pop().ok_or("unmatched `)`")?;
                self.text.push(')');
                self.begin(group);
            }
            b'|' | b'^' | b'$' => {
                self.text.push(char::from(byte));
                self.atom = None;
            }
            b'.' => {
                self.begin(start);
                self.text.push_str("[^\\x00]");
            }
            b'*' | b'+' | b'?' => self.quantifier(&char::from(byte).to_string())?,
            b'{' => {
                let rest = &self.pattern[self.at..];
                let length = rest.iter().position(|byte| *byte == b'}').ok_or("unclosed `{`")?;
                let inside = String::from_utf8_lossy(&rest[..length]).into_owned();
                let (least, most) = inside.split_once(',').unwrap_or((&inside, ""));
                let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
                if least.is_empty() || !digits(least) || !digits(most) {
                    return Err(format!(
                        "expected a repetition count such as `{{2}}` or `{{2,5}}`, found `{{{inside}}}`"
                    ));
                }
                self.at += length + 1;
                self.quantifier(&format!("{{{inside}}}"))?;
            }
            byte => {
                self.begin(start);
                self.literal(byte);
            }
        }
        Ok(())
    }

    fn quantifier(&mut self, quantifier: &str) -> Result<(), String> {
        let start = self.atom.ok_or_else(|| format!("`{quantifier}` has nothing to repeat"))?;
        if self.quantifiers >= MOST_QUANTIFIERS {
            return Err(format!("the expression has more than {MOST_QUANTIFIERS} consecutive quantifiers"));
        }
        // A group is needed because the regex crate reads a second quantifier as a modifier of the first.
        if self.quantifiers > 0 {
            self.text.insert_str(start, "(?:");
            self.text.push(')');
        }
        self.quantifiers += 1;
        self.text.push_str(quantifier);
        Ok(())
    }

    fn literal(&mut self, byte: u8) {
        match byte.is_ascii_alphanumeric() {
            true => self.text.push(char::from(byte)),
            false => self.text.push_str(&format!("\\x{byte:02X}")),
        }
    }

    /// Parses the rest of a bracket expression after `[`. Apart from an initial `^`, only `]`, `-`, and `[` followed by
    /// `:`, `.` or `=` are special.
    fn class(&mut self) -> Result<(), String> {
        self.text.push('[');
        if self.peek() == Some(b'^') {
            self.at += 1;
            self.text.push('^');
        }
        let first = self.at;
        loop {
            if self.peek() == Some(b']') && self.at > first {
                self.at += 1;
                self.text.push(']');
                return Ok(());
            }
            if let Some(name) = self.named(b':')? {
                let name = String::from_utf8_lossy(&name).into_owned();
                if !CLASSES.contains(&name.as_str()) {
                    return Err(format!(
                        "unknown character class `{name}`; expected one of: `{}`",
                        CLASSES.join("`, `")
                    ));
                }
                self.text.push_str(&format!("[:{name}:]"));
                continue;
            }
            let low = self.member()?;
            self.literal(low);
            if self.peek() == Some(b'-') && self.pattern.get(self.at + 1).is_some_and(|byte| *byte != b']') {
                self.at += 1;
                let high = self.member()?;
                if low > high {
                    let [low, high] = [low, high].map(|bound| char::from(bound).escape_default());
                    return Err(format!("the bounds of the range `{low}-{high}` are in the wrong order"));
                }
                self.text.push('-');
                self.literal(high);
            }
        }
    }

    /// Parses one character of a class, and returns it.
    fn member(&mut self) -> Result<u8, String> {
        for sign in [b'.', b'='] {
            if let Some(name) = self.named(sign)? {
                let [byte] = name[..] else {
                    return Err("only single characters are supported in `[. .]` and `[= =]`".to_owned());
                };
                return Ok(byte);
            }
        }
        self.next().ok_or_else(|| "unclosed `[`".to_owned())
    }

    /// Consumes an element such as `[:alpha:]`, whose inner delimiter is `sign`, and returns the text between the
    /// delimiters. Returns `None` if the pattern does not continue with such an element.
    fn named(&mut self, sign: u8) -> Result<Option<Vec<u8>>, String> {
        let rest = &self.pattern[self.at..];
        if !rest.starts_with(&[b'[', sign]) {
            return Ok(None);
        }
        let inside = &rest[2..];
        let length = inside.windows(2).position(|two| two == [sign, b']']).ok_or("unclosed character class")?;
        self.at += length + 4;
        Ok(Some(inside[..length].to_vec()))
    }
}
