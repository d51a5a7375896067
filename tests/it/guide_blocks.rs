//! The fenced blocks of the guides.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::project::repository;

/// A fenced block in a guide.
pub(crate) struct Block {
    /// The name of the guide and the line of the block.
    pub(crate) place: String,
    /// The word after the fence, such as `console`; empty if there is none.
    pub(crate) language: String,
    /// The other words after it.
    pub(crate) words: Vec<String>,
    pub(crate) text: String,
}

impl Block {
    /// Returns the path of the file that the reader saves the block as: `file=PATH`.
    pub(crate) fn file(&self) -> Option<&str> {
        self.words.iter().find_map(|word| word.strip_prefix("file="))
    }
}

/// Returns the topics of all guides, sorted.
pub(crate) fn topics() -> Vec<String> {
    let folder = repository().join("src/guide");
    let names = folder.read_dir().unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut topics: Vec<String> = names.filter_map(|name| Some(name.strip_suffix(".md")?.to_owned())).collect();
    topics.retain(|topic| topic != "SUMMARY");
    topics.sort_unstable();
    topics
}

/// Returns the text of a guide.
pub(crate) fn text(topic: &str) -> String {
    fs_err::read_to_string(repository().join(format!("src/guide/{topic}.md"))).unwrap()
}

/// Returns the fenced blocks of a guide, in order.
pub(crate) fn blocks(topic: &str) -> Vec<Block> {
    blocks_of(&format!("{topic}.md"), &text(topic))
}

/// Returns the fenced blocks of a text with this name, in order.
pub(crate) fn blocks_of(name: &str, text: &str) -> Vec<Block> {
    let mut lines = text.lines().enumerate();
    let mut found = Vec::new();
    while let Some((number, line)) = lines.next() {
        let Some(fence) = line.strip_prefix("```") else { continue };
        let mut words = fence.split_whitespace().map(str::to_owned);
        let language = words.next().unwrap_or_default();
        let body = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```");
        let text = body.map(|line| format!("{line}\n")).collect();
        found.push(Block { place: format!("{name}:{}", number + 1), language, words: words.collect(), text });
    }
    found
}
