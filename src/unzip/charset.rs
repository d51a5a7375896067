//! Guesses the character set of names and texts that are not UTF-8.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, WINDOWS_1252};

/// The characters 0x80 to 0xff of code page 437. In the zip format, names that are not UTF-8 are in this code page.
const CP437: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀\
                     αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";
/// The characters 0x80 to 0xff of code page 850, which Windows uses for the names in zip archives in Western Europe.
const CP850: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀\
                     ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}";

/// A character set.
#[derive(Debug, Clone, Copy)]
pub struct Charset(CharsetTable);

#[derive(Debug, Clone, Copy)]
enum CharsetTable {
    Standard(&'static Encoding),
    CodePage(&'static str, &'static str),
}

impl Charset {
    /// Guesses the character set of the texts that are not UTF-8. All texts should have the same origin. The guess is
    /// more reliable for a larger number of texts. Returns `None` if all texts are UTF-8.
    pub fn of<T: AsRef<[u8]>>(texts: impl IntoIterator<Item = T>) -> Option<Charset> {
        let texts: Vec<T> = texts.into_iter().filter(|text| std::str::from_utf8(text.as_ref()).is_err()).collect();
        if texts.is_empty() {
            return None;
        }
        let joined = texts.iter().map(T::as_ref).collect::<Vec<&[u8]>>().join(&b'\n');
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
        detector.feed(&joined, true);
        let standard = detector.guess(None, Utf8Detection::Deny);
        let mut best = Charset(CharsetTable::Standard(standard));
        // In Western texts, the detector may mistake an accented letter and the next letter for a two-byte character.
        if !standard.is_single_byte() && best.is_scattered(&joined) {
            best = Charset(CharsetTable::Standard(WINDOWS_1252));
        }
        // The detector supports neither code page 437 nor code page 850. Many bytes that encode letters in these code
        // pages encode symbols in other single-byte character sets, and vice versa, so the character set in which the
        // texts have the fewest symbols is chosen.
        if best.is_single_byte() {
            for page in [CharsetTable::CodePage("code page 437", CP437), CharsetTable::CodePage("code page 850", CP850)]
            {
                if Charset(page).signs(&joined) < best.signs(&joined) {
                    best = Charset(page);
                }
            }
        }
        Some(best)
    }

    /// Returns the name of the character set, for messages.
    pub fn name(self) -> &'static str {
        match self.0 {
            CharsetTable::Standard(encoding) => encoding.name(),
            CharsetTable::CodePage(name, _) => name,
        }
    }

    /// Decodes a text: as UTF-8 if it is valid UTF-8, otherwise in this character set.
    pub fn decode(self, text: &[u8]) -> String {
        match (std::str::from_utf8(text), self.0) {
            (Ok(text), _) => text.to_owned(),
            (Err(_), CharsetTable::Standard(encoding)) => encoding.decode_without_bom_handling(text).0.into_owned(),
            (Err(_), CharsetTable::CodePage(_, upper)) => text.iter().map(|byte| character(upper, *byte)).collect(),
        }
    }

    fn is_single_byte(self) -> bool {
        match self.0 {
            CharsetTable::Standard(encoding) => encoding.is_single_byte(),
            CharsetTable::CodePage(..) => true,
        }
    }

    /// Returns the number of symbols in a text: non-ASCII characters that are not letters, and `ª`, `º`, `µ` and `ⁿ`.
    fn signs(self, text: &[u8]) -> usize {
        self.decode(text).chars().filter(|c| !c.is_ascii() && (!c.is_alphabetic() || "ªºµⁿ".contains(*c))).count()
    }

    /// Returns true if no two non-ASCII characters are adjacent, and each is adjacent to an ASCII letter.
    fn is_scattered(self, text: &[u8]) -> bool {
        let text: Vec<char> = self.decode(text).chars().collect();
        let beside = |at: usize| [at.checked_sub(1), Some(at + 1)].into_iter().flatten().filter_map(|at| text.get(at));
        (0..text.len())
            .filter(|at| !text[*at].is_ascii())
            .all(|at| beside(at).all(char::is_ascii) && beside(at).any(char::is_ascii_alphabetic))
    }
}

/// Decodes a text as UTF-8 if it is valid UTF-8, otherwise in the character set that is guessed from this text alone.
pub fn decoded(text: Vec<u8>) -> String {
    String::from_utf8(text).unwrap_or_else(|error| {
        let text = error.into_bytes();
        Charset::of([text.as_slice()])
            .map_or_else(|| String::from_utf8_lossy(&text).into_owned(), |charset| charset.decode(&text))
    })
}

fn character(upper: &str, byte: u8) -> char {
    match usize::from(byte).checked_sub(0x80) {
        None => char::from(byte),
        Some(index) => upper.chars().nth(index).unwrap_or(char::REPLACEMENT_CHARACTER),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(texts: &[&[u8]]) -> (String, String) {
        let charset = Charset::of(texts.iter().copied()).unwrap();
        (charset.name().to_owned(), texts.iter().map(|text| charset.decode(text)).collect::<Vec<_>>().join("; "))
    }

    #[test]
    fn character_sets_are_guessed() {
        let cases: [(&[&[u8]], &str, &str); 7] = [
            (&[b"Zo\xeb M\xfcller/a.py", b"Fran\xe7ois/b.py"], "windows-1252", "Zoë Müller/a.py; François/b.py"),
            (&[b"Zo\x89 M\x81ller/a.py", b"Gro\xe1/b.py"], "code page 437", "Zoë Müller/a.py; Groß/b.py"),
            (&[b"S\x9bren \x8fberg", b"Jo\xc6o"], "code page 850", "Søren Åberg; João"),
            (&[b"\x8e\x52\x93\x63\x91\xbe\x98\x59/a.py", b"\x8d\xb2\x93\xa1"], "Shift_JIS", "山田太郎/a.py; 佐藤"),
            (&[b"\xcd\xf5\xd0\xa1\xc3\xf7/a.py", b"\xd5\xc5\xce\xb0", b"ann"], "GBK", "王小明/a.py; 张伟; ann"),
            (&[b"\xc8\xe2\xe0\xed \xcf\xe5\xf2\xf0\xee\xe2"], "windows-1251", "Иван Петров"),
            (&[b"\x88\xa2\xa0\xad \x8f\xa5\xe2\xe0\xae\xa2"], "IBM866", "Иван Петров"),
        ];
        for (texts, name, text) in cases {
            assert_eq!(read(texts), (name.to_owned(), text.to_owned()));
        }
        assert!(Charset::of(["Zoë".as_bytes(), b"ann"]).is_none());
    }

    #[test]
    fn one_western_name_is_not_taken_for_an_asian_one() {
        for name in ["Müller", "Schröder", "Bär", "José", "François", "Zoë", "Nuñez", "Jürgen Groß"] {
            for (upper, names) in [(CP437, "code page 437"), (CP850, "code page 850")] {
                let bytes: Vec<u8> = name.chars().map(|c| byte(upper, c)).collect();
                let (charset, text) = read(&[&bytes]);
                assert_eq!(text, name, "{names} as {charset}");
            }
            assert_eq!(read(&[&WINDOWS_1252.encode(name).0]).1, name);
        }
    }

    fn byte(upper: &str, c: char) -> u8 {
        upper.chars().position(|other| other == c).map_or(c as u8, |at| u8::try_from(0x80 + at).unwrap())
    }

    #[test]
    fn code_pages_are_complete() {
        for page in [CP437, CP850] {
            assert_eq!(page.chars().count(), 128);
        }
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_can_be_decoded(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..60)) {
            let text = decoded(bytes.clone());
            proptest::prop_assert!(std::str::from_utf8(&bytes).map_or(true, |same| same == text));
        }
    }
}
