//! Renders Markdown with formulas for the terminal, for statements and guides.

use pulldown_cmark::{Alignment, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::flow::Flow;
use super::table::Table;
use super::text::{safe, width};
use super::theme::{Paint, Theme};
use super::{math, text};

/// Maximum width in columns of a formula that is never broken across lines.
const UNBROKEN: usize = 30;
/// Minimum width in columns to which the text of a block is wrapped, however far the block is indented.
const NARROW: usize = 16;

/// Renders Markdown in `width` columns. Formulas between `$` become Unicode text; code is not wrapped.
pub fn render(markdown: &str, width: usize, color: bool) -> String {
    let theme = if color { Theme::colored() } else { Theme::plain() };
    let mut page = Page {
        theme,
        width: width.max(NARROW),
        drawn: String::new(),
        flow: Flow::default(),
        indents: Vec::new(),
        paints: Vec::new(),
        lists: Vec::new(),
        code: None,
        link: None,
        table: None,
        gap: false,
    };
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_MATH;
    for event in Parser::new_ext(markdown, options) {
        page.event(event);
    }
    page.paragraph();
    page.drawn
}

/// Converts an inline TeX formula to Unicode text.
pub fn formula(tex: &str) -> String {
    math::inline(tex)
}

/// The indentation of a block: the prefix of its first line, which is `None` once that line has been written, and the
/// prefix of all other lines.
#[derive(Debug)]
struct Indent {
    first: Option<String>,
    rest: String,
}

struct Page {
    theme: Theme,
    width: usize,
    drawn: String,
    flow: Flow,
    indents: Vec<Indent>,
    paints: Vec<Paint>,
    /// Next item number of each enclosing list; `None` for bullet lists.
    lists: Vec<Option<u64>>,
    /// Text of the current code block; `None` outside code blocks.
    code: Option<String>,
    /// Target and text of the current link; `None` outside links.
    link: Option<(String, String)>,
    table: Option<Table>,
    /// Whether an empty line is needed before the next block.
    gap: bool,
}

impl Page {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.text(&text),
            Event::Code(code) => self.words(&safe(&code).replace(' ', "\u{a0}"), Some(Paint::Code)),
            Event::InlineMath(tex) => self.formula(&tex),
            Event::DisplayMath(tex) => self.display(&tex),
            Event::Html(html) | Event::InlineHtml(html) => {
                if html.trim_start().starts_with("<br") {
                    self.flow.line_break();
                }
            }
            Event::FootnoteReference(name) => self.words(&format!("[{name}]"), None),
            Event::SoftBreak => self.words(" ", None),
            Event::HardBreak => self.flow.line_break(),
            Event::Rule => {
                self.blank();
                let rule = "─".repeat(self.room());
                self.line(&self.theme.paint(Paint::Faint, rule));
                self.gap = true;
            }
            Event::TaskListMarker(done) => self.words(if done { "[x] " } else { "[ ] " }, None),
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { .. } => {
                self.paragraph();
                self.paints.push(Paint::Strong);
            }
            Tag::BlockQuote(_) => {
                self.paragraph();
                self.blank();
                let sign = self.theme.paint(Paint::Faint, "│ ");
                self.indents.push(Indent { first: None, rest: sign });
            }
            Tag::CodeBlock(_) => {
                self.paragraph();
                self.code = Some(String::new());
            }
            Tag::List(number) => {
                self.paragraph();
                self.lists.push(number);
            }
            Tag::Item => self.item(),
            Tag::Emphasis => self.paints.push(Paint::Emphasis),
            Tag::Strong => self.paints.push(Paint::Strong),
            Tag::Strikethrough => self.paints.push(Paint::Faint),
            Tag::Link { dest_url, .. } => {
                self.link = Some((dest_url.to_string(), String::new()));
                self.paints.push(Paint::Accent);
            }
            Tag::Image { dest_url, .. } => {
                self.link = Some((dest_url.to_string(), String::new()));
                self.paints.push(Paint::Accent);
                self.words("image: ", Some(Paint::Accent));
            }
            Tag::Table(alignments) => {
                self.paragraph();
                let right = alignments.iter().map(|side| *side == Alignment::Right).collect();
                self.table = Some(Table::new(right));
            }
            Tag::TableHead | Tag::TableRow => {
                if let Some(table) = &mut self.table {
                    table.row();
                }
            }
            Tag::Paragraph => self.paragraph(),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph => {
                self.paragraph();
                // The gap is also needed inside a list: items that contain paragraphs are separated by empty lines.
                self.gap = self.table.is_none();
            }
            TagEnd::Heading(level) => self.heading(level),
            TagEnd::BlockQuote(_) => {
                self.paragraph();
                self.indents.pop();
                self.gap = true;
            }
            TagEnd::CodeBlock => self.code_block(),
            TagEnd::List(_) => {
                self.paragraph();
                self.lists.pop();
                self.gap |= self.lists.is_empty();
            }
            TagEnd::Item => {
                self.paragraph();
                // An empty item is still printed with its marker.
                if self.indents.last().is_some_and(|indent| indent.first.is_some()) {
                    self.line("");
                }
                self.indents.pop();
            }
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => {
                self.paints.pop();
            }
            TagEnd::Link | TagEnd::Image => self.link_end(),
            TagEnd::TableCell => {
                let lines = self.flow.lines(usize::MAX, Theme::plain());
                if let Some(table) = &mut self.table {
                    table.cell(&lines);
                }
            }
            TagEnd::Table => {
                if let Some(table) = self.table.take() {
                    self.blank();
                    for line in table.lines(self.room(), self.theme) {
                        self.line(&line);
                    }
                    self.gap = true;
                }
            }
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        match &mut self.code {
            Some(code) => code.push_str(text),
            None => self.words(&safe(text), None),
        }
    }

    /// Adds inline text. Without `paint`, the innermost enclosing style applies.
    fn words(&mut self, words: &str, paint: Option<Paint>) {
        if let Some((_, shown)) = &mut self.link {
            shown.push_str(words);
        }
        self.flow.text(words, paint.or(self.paints.last().copied()));
    }

    fn formula(&mut self, tex: &str) {
        let formula = math::inline(tex);
        let formula = if width(&formula) <= UNBROKEN { formula.replace(' ', "\u{a0}") } else { formula };
        self.words(&formula, None);
    }

    fn display(&mut self, tex: &str) {
        self.paragraph();
        self.blank();
        for line in math::display(tex) {
            self.line(&format!("    {line}"));
        }
        self.gap = true;
    }

    /// Returns the number of columns to the right of the indentation, at least [`NARROW`].
    fn room(&self) -> usize {
        let indent: usize = self.indents.iter().map(|indent| plain_width(&indent.rest)).sum();
        self.width.saturating_sub(indent).max(NARROW)
    }

    /// Writes the collected inline text as a block.
    fn paragraph(&mut self) {
        if self.flow.is_empty() || self.table.is_some() {
            return;
        }
        self.blank();
        for line in self.flow.lines(self.room(), self.theme) {
            self.line(&line);
        }
        // List items are not separated by empty lines, unless they contain paragraphs.
        self.gap = self.lists.is_empty();
    }

    fn heading(&mut self, level: HeadingLevel) {
        self.paints.pop();
        if self.flow.is_empty() {
            return;
        }
        self.gap |= !self.drawn.is_empty();
        self.blank();
        // Headings below level 2 have no rule, so they are marked with `▸`.
        let sign = if level > HeadingLevel::H2 { "▸ " } else { "" };
        let lines = self.flow.lines(self.room().saturating_sub(width(sign)), self.theme);
        let widest = lines.iter().map(|line| plain_width(line)).max().unwrap_or(0);
        for line in lines {
            self.line(&format!("{}{line}", self.theme.paint(Paint::Strong, sign)));
        }
        let under = match level {
            HeadingLevel::H1 => "═",
            HeadingLevel::H2 => "─",
            _ => "",
        };
        if !under.is_empty() && widest > 0 {
            self.line(&self.theme.paint(Paint::Strong, under.repeat(widest)));
        }
        self.gap = level > HeadingLevel::H2;
    }

    fn code_block(&mut self) {
        let Some(code) = self.code.take() else { return };
        self.blank();
        for line in safe(&code).trim_end_matches('\n').split('\n') {
            self.line(&format!("    {}", self.theme.paint(Paint::Code, line)));
        }
        self.gap = true;
    }

    fn item(&mut self) {
        self.paragraph();
        self.blank();
        let depth = self.lists.len();
        let sign = match self.lists.last_mut() {
            Some(Some(number)) => {
                *number += 1;
                format!("{}. ", *number - 1)
            }
            _ if depth % 2 == 1 => "• ".to_owned(),
            _ => "◦ ".to_owned(),
        };
        let lead = if depth == 1 { "  " } else { "" };
        let sign = format!("{lead}{sign}");
        let rest = " ".repeat(width(&sign));
        self.indents.push(Indent { first: Some(sign), rest });
    }

    fn link_end(&mut self) {
        self.paints.pop();
        if let Some((target, shown)) = self.link.take()
            && target != shown
            && !target.is_empty()
        {
            self.flow.text(&format!(" ({})", safe(&target)), Some(Paint::Faint));
        }
    }

    /// Writes an empty line before a block if one is needed.
    fn blank(&mut self) {
        // After an empty quotation, the text already ends with an empty line.
        if std::mem::take(&mut self.gap) && !self.drawn.is_empty() && !self.drawn.ends_with("\n\n") {
            let indent: String = self
                .indents
                .iter()
                .filter(|indent| indent.first.is_none())
                .map(|indent| indent.rest.as_str())
                .collect();
            self.drawn.push_str(indent.trim_end());
            self.drawn.push('\n');
        }
    }

    fn line(&mut self, text: &str) {
        let indent: String =
            self.indents.iter_mut().map(|indent| indent.first.take().unwrap_or_else(|| indent.rest.clone())).collect();
        let line = format!("{indent}{text}");
        self.drawn.push_str(line.trim_end());
        self.drawn.push('\n');
    }
}

/// Returns the width of a text without its escape sequences.
fn plain_width(painted: &str) -> usize {
    let mut total = 0;
    let mut rest = painted;
    while let Some(start) = rest.find('\x1b') {
        total += text::width(&rest[..start]);
        rest = rest[start..].split_once('m').map_or("", |(_, rest)| rest);
    }
    total + text::width(rest)
}

#[cfg(test)]
mod tests;
