//! Recognizes types of C, C++ and Java where they must be distinguished from expressions.

use super::cursor::TreeParser;
use crate::MutantLanguage;
use crate::lang::LexemeClass;

/// Words of C and C++ that may precede a type but are not types.
const QUALIFIERS: [&str; 16] = [
    "const",
    "static",
    "constexpr",
    "constinit",
    "consteval",
    "inline",
    "volatile",
    "register",
    "mutable",
    "thread_local",
    "extern",
    "typename",
    "struct",
    "class",
    "enum",
    "union",
];
/// Java words that may precede a type but are not types.
const MODIFIERS: [&str; 11] = [
    "abstract",
    "final",
    "native",
    "private",
    "protected",
    "public",
    "static",
    "strictfp",
    "transient",
    "volatile",
    "synchronized",
];

impl TreeParser<'_> {
    pub(super) fn text(&self, index: usize) -> &str {
        self.token(index).map_or("", |token| token.text)
    }

    fn class_at(&self, index: usize) -> Option<LexemeClass> {
        self.token(index).map(|token| token.class)
    }

    /// Returns the index after the type, including its modifiers, that starts at `index`, or `None` if no type starts
    /// there.
    pub(super) fn skip_type(&self, index: usize) -> Option<usize> {
        match self.language {
            MutantLanguage::Java => self.skip_java_type(index),
            _ => self.skip_c_type(index),
        }
    }

    fn skip_c_type(&self, mut index: usize) -> Option<usize> {
        let mut is_basic = false;
        loop {
            let text = self.text(index);
            if QUALIFIERS.contains(&text) {
                index += 1;
            } else if self.class_at(index) == Some(LexemeClass::Type) {
                // After a basic type, a word such as `string` could be a name.
                is_basic = true;
                index += 1;
            } else {
                break;
            }
        }
        let ends_in_qualified = is_basic && self.text(index) == "::";
        if !is_basic || ends_in_qualified {
            index += usize::from(self.text(index) == "::");
            loop {
                matches!(self.class_at(index)?, LexemeClass::Name | LexemeClass::Type).then_some(())?;
                index += 1;
                if self.text(index) == "<" && self.language == MutantLanguage::Cpp {
                    index = self.template_arguments(index)?;
                }
                if self.text(index) != "::" {
                    break;
                }
                index += 1;
            }
        }
        while ["*", "&", "&&", "const", "restrict", "volatile"].contains(&self.text(index)) {
            index += 1;
        }
        Some(index)
    }

    fn skip_java_type(&self, mut index: usize) -> Option<usize> {
        loop {
            if self.text(index) == "@" {
                index += 2;
                while self.text(index) == "." {
                    index += 2;
                }
                if self.text(index) == "(" {
                    index = self.tokens[index].partner + 1;
                }
            } else if MODIFIERS.contains(&self.text(index)) {
                index += 1;
            } else {
                break;
            }
        }
        loop {
            matches!(self.class_at(index)?, LexemeClass::Name | LexemeClass::Type).then_some(())?;
            index += 1;
            if self.text(index) == "<" {
                index = self.template_arguments(index)?;
            }
            if self.text(index) != "." {
                break;
            }
            index += 1;
        }
        while self.text(index) == "[" && self.text(index + 1) == "]" {
            index += 2;
        }
        Some(index)
    }

    /// Returns the index after the template or type arguments that start with the `<` at the index `open`, or `None` if
    /// this `<` does not start such arguments.
    pub(super) fn template_arguments(&self, open: usize) -> Option<usize> {
        // Deeper nesting is interpreted as a chain of comparisons.
        const DEEPEST: usize = 20;
        const WORDS: [&str; 9] =
            ["typename", "class", "struct", "extends", "super", "true", "false", "unsigned", "const"];
        let mut depth = 0_usize;
        let mut index = open;
        loop {
            let token = self.token(index)?;
            match token.text {
                "<" if depth < DEEPEST => depth += 1,
                ">" | ">>" | ">>>" => {
                    depth = depth.checked_sub(token.text.len())?;
                    if depth == 0 {
                        return Some(index + 1);
                    }
                }
                "(" | "[" => index = token.partner,
                "::" | "," | "*" | "&" | "?" | "." | "..." | "@" | "+" => {}
                _ if WORDS.contains(&token.text) => {}
                _ => matches!(token.class, LexemeClass::Name | LexemeClass::Type | LexemeClass::Number).then_some(())?,
            }
            index += 1;
        }
    }

    /// Returns whether a declaration of variables, that is, a type followed by a name, starts here.
    pub(super) fn starts_declaration(&self) -> bool {
        let Some(next) = self.skip_type(self.at) else { return false };
        let after = self.text(next + 1);
        match self.class_at(next) {
            // The declaration may be a structured binding such as `auto [a, b] = …`.
            Some(LexemeClass::Sign) => self.text(next) == "[" && self.text(next - 1) != "]" && self.has_auto(next),
            Some(LexemeClass::Name | LexemeClass::Type) => {
                after.is_empty() || ["=", ";", ",", "(", "{", "[", ":"].contains(&after)
            }
            _ => false,
        }
    }

    fn has_auto(&self, end: usize) -> bool {
        (self.at..end).any(|index| self.text(index) == "auto")
    }

    /// Returns whether the parentheses at the current position contain the type of a cast.
    pub(super) fn is_cast(&self) -> bool {
        let Some(open) = self.token(self.at) else { return false };
        let close = open.partner;
        if self.skip_type(self.at + 1) != Some(close) {
            return false;
        }
        let next = self.text(close + 1);
        let has_basic = (self.at + 1..close)
            .any(|index| self.class_at(index) == Some(LexemeClass::Type) || ["*", ">"].contains(&self.text(index)));
        let is_operand = match self.class_at(close + 1) {
            Some(LexemeClass::Name | LexemeClass::Number | LexemeClass::Text | LexemeClass::Type) => true,
            Some(LexemeClass::Keyword(_)) => !["instanceof", "and", "or", "in"].contains(&next),
            _ => ["(", "!", "~"].contains(&next),
        };
        let is_type = has_basic || self.type_names.contains(self.text(close - 1));
        is_operand || is_type && ["-", "+", "*", "&", "++", "--", "{"].contains(&next)
    }
}
