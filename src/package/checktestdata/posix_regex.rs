//! From an extended regular expression of POSIX to one of ours.

/// The most quantifiers that follow one another.
const MOST_QUANTIFIERS: usize = 20;
/// The most brackets in one another.
const DEEPEST: usize = 200;
const CLASSES: [&str; 12] =
    ["alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "xdigit"];

/// The same expression, for bytes, as our library reads it.
///
/// # Errors
/// In tokens: what is wrong in it.
pub(super) fn translate(pattern: &[u8]) -> Result<String, String> {
    let mut translator =
        RegexTranslator { pattern, at: 0, text: String::new(), atom: None, quantifiers: 0, groups: Vec::new() };
    while let Some(byte) = translator.next() {
        translator.piece(byte)?;
    }
    if translator.groups.is_empty() { Ok(translator.text) } else { Err("a bracket is not closed".to_owned()) }
}

struct RegexTranslator<'a> {
    pattern: &'a [u8],
    at: usize,
    text: String,
    /// Where in the text what a quantifier would repeat begins, if there is any.
    atom: Option<usize>,
    /// How many quantifiers it has.
    quantifiers: usize,
    /// Where the open groups begin.
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

    /// What can be repeated.
    fn begin(&mut self, at: usize) {
        self.atom = Some(at);
        self.quantifiers = 0;
    }

    fn piece(&mut self, byte: u8) -> Result<(), String> {
        let start = self.text.len();
        match byte {
            b'\\' => match self.next() {
                None => return Err("it ends with a backslash".to_owned()),
                Some(byte) if byte.is_ascii_alphanumeric() => {
                    return Err(format!("`\\{}` is of another kind of regular expressions", char::from(byte)));
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
                    return Err("too many brackets in one another".to_owned());
                }
                self.groups.push(start);
                self.text.push_str("(?:");
                self.atom = None;
            }
            b')' => {
                let group = self.groups.pop().ok_or("a bracket is closed that is not open")?;
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
                let length = rest.iter().position(|byte| *byte == b'}').ok_or("`{` is not closed")?;
                let inside = String::from_utf8_lossy(&rest[..length]).into_owned();
                let (least, most) = inside.split_once(',').unwrap_or((&inside, ""));
                let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
                if least.is_empty() || !digits(least) || !digits(most) {
                    return Err(format!("`{{{inside}}}` is no number of times"));
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
        let start = self.atom.ok_or_else(|| format!("there is nothing that `{quantifier}` repeats"))?;
        if self.quantifiers >= MOST_QUANTIFIERS {
            return Err("too many quantifiers follow one another".to_owned());
        }
        // Ours would read the second of two as a mark of the first.
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

    /// What follows a `[`, in which only `]`, `-` and `[` before one of `:.=` mean something.
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
                    return Err(format!("there is no class `{name}`"));
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
                    return Err("the ends of a range are the wrong way round".to_owned());
                }
                self.text.push('-');
                self.literal(high);
            }
        }
    }

    /// One character of a class.
    fn member(&mut self) -> Result<u8, String> {
        for sign in [b'.', b'='] {
            if let Some(name) = self.named(sign)? {
                let [byte] = name[..] else {
                    return Err("only single characters are read in `[.` and `[=`".to_owned());
                };
                return Ok(byte);
            }
        }
        self.next().ok_or_else(|| "`[` is not closed".to_owned())
    }

    /// What stands between `[` with this sign and the sign with `]`, if that is next.
    fn named(&mut self, sign: u8) -> Result<Option<Vec<u8>>, String> {
        let rest = &self.pattern[self.at..];
        if !rest.starts_with(&[b'[', sign]) {
            return Ok(None);
        }
        let inside = &rest[2..];
        let length = inside.windows(2).position(|two| two == [sign, b']']).ok_or("a class is not closed")?;
        self.at += length + 4;
        Ok(Some(inside[..length].to_vec()))
    }
}
