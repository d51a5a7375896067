//! Descriptions for tests, and a helper that shrinks inputs.

mod notation;

use super::{Description, Instance, Shrunk};

pub(crate) use notation::{FORMATS, describe, keys as narrowing, raw, try_describe};

pub(crate) fn describe_answer(input: &Description, text: &str) -> Description {
    let (items, clauses) = raw(text);
    Description::parse_after(input, &items, &clauses).unwrap_or_else(|complaint| panic!("{complaint:?} in {text}"))
}

/// Shrinks an input for which `fails` holds, and returns the text of the result. Asserts that every candidate is valid.
pub(crate) fn shrunk(text: &str, bytes: &str, fails: impl Fn(&Instance) -> bool) -> (String, Shrunk) {
    let description = describe(text);
    let instance = description.read(bytes.as_bytes(), None).unwrap();
    assert!(fails(&instance), "the input must fail before it is shrunk");
    let shrunk = description.shrink(&instance, &mut |candidate| {
        assert_eq!(description.validate(candidate.to_bytes(&description).as_slice(), None), Ok(()));
        fails(candidate)
    });
    assert!(fails(&shrunk.instance));
    (String::from_utf8(shrunk.instance.to_bytes(&description)).unwrap(), shrunk)
}
