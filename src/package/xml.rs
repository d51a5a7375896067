//! Parses untrusted XML into a tree of elements. Predefined entities and character references are expanded only in
//! attributes. Other entity references in attributes are errors, and external entities are never loaded.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::model::Diagnostic;

/// Maximum number of elements.
const MOST: usize = 500_000;
/// Maximum nesting depth of elements.
const DEEPEST: usize = 60;

/// An element with its attributes, children and text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Element {
    pub(super) name: String,
    attributes: Vec<(String, String)>,
    children: Vec<Element>,
    text: String,
}

impl Element {
    /// Parses a document and returns its root element.
    ///
    /// # Errors
    /// Fails if the text is not well-formed XML, or if it exceeds a limit.
    pub(super) fn parse(origin: &str, text: &str) -> Result<Element, Diagnostic> {
        let mut reader = Reader::from_str(text);
        let mut open: Vec<Element> = vec![Element::default()];
        let mut count = 0;
        let exceeded = |count: usize, depth: usize| match (count > MOST, depth > DEEPEST) {
            (true, _) => Some(format!("the file has more than {MOST} elements")),
            (false, true) => Some(format!("the element is nested more than {DEEPEST} levels deep")),
            (false, false) => None,
        };
        let wrong = |what: String, at: u64| {
            let start = usize::try_from(at).unwrap_or(0).min(text.len());
            let start = (0..=start).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
            Diagnostic::new(what).at(origin, text, crate::model::TextRange { start, end: start })
        };
        loop {
            let at = reader.buffer_position();
            let event = reader.read_event().map_err(|error| wrong(format!("invalid XML: {error}"), at))?;
            match event {
                Event::Start(start) => {
                    count += 1;
                    if let Some(what) = exceeded(count, open.len()) {
                        return Err(wrong(what, at));
                    }
                    open.push(element(&start).map_err(|what| wrong(what, at))?);
                }
                Event::Empty(start) => {
                    count += 1;
                    if let Some(what) = exceeded(count, open.len()) {
                        return Err(wrong(what, at));
                    }
                    let element = element(&start).map_err(|what| wrong(what, at))?;
                    if let Some(last) = open.last_mut() {
                        last.children.push(element);
                    }
                }
                Event::End(_) => {
                    let closed = open.pop().unwrap_or_default();
                    match open.last_mut() {
                        Some(last) => last.children.push(closed),
                        None => return Err(wrong("the end tag has no matching start tag".to_owned(), at)),
                    }
                }
                Event::Text(part) => {
                    let part = String::from_utf8_lossy(&part).into_owned();
                    if let Some(last) = open.last_mut() {
                        last.text.push_str(&part);
                    }
                }
                Event::Eof => break,
                _ => {}
            }
        }
        let root = open.pop().and_then(|root| root.children.into_iter().next());
        root.filter(|_| open.is_empty()).ok_or_else(|| wrong("the file has no complete root element".to_owned(), 0))
    }

    /// Returns the value of an attribute, or `None` if the element has no such attribute.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Returns the child elements with this name.
    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// Returns the first element at a path of names, such as `judging/testset`, or `None` if there is none.
    pub(super) fn at(&self, path: &str) -> Option<&Element> {
        path.split('/').try_fold(self, |element, name| element.children.iter().find(|child| child.name == name))
    }

    /// Returns the text of the element, trimmed.
    pub(super) fn text(&self) -> &str {
        self.text.trim()
    }
}

fn element(start: &BytesStart<'_>) -> Result<Element, String> {
    let name = String::from_utf8_lossy(start.name().as_ref()).into_owned();
    let mut attributes = Vec::new();
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|error| format!("invalid attribute: {error}"))?;
        let raw = String::from_utf8_lossy(&attribute.value).into_owned();
        let value = quick_xml::escape::unescape(&raw).map_err(|error| format!("invalid attribute: {error}"))?;
        attributes.push((String::from_utf8_lossy(attribute.key.as_ref()).into_owned(), value.into_owned()));
    }
    Ok(Element { name, attributes, ..Element::default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn elements_attributes_and_texts_are_found() {
        let root = Element::parse("p", "<?xml version='1.0'?><a x='1 &lt; 2'><b> t </b><b y='z'/></a>").unwrap();
        assert_eq!((root.name.as_str(), root.get("x"), root.all("b").count()), ("a", Some("1 < 2"), 2));
        assert_eq!(root.at("b").unwrap().text(), "t");
        for bad in ["", "<a>", "</a>", "<a b='&bomb;'/>", "<a><b></a></b>", &"<a>".repeat(1_000)] {
            assert!(Element::parse("p", bad).is_err(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn parsing_any_text_terminates(text in "[<>a-c/='\"&; !\\[\\]-]{0,60}") {
            let _ = Element::parse("p", &text);
        }
    }
}
