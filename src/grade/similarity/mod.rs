//! Similarity of submissions: finds programs that share their steps, regardless of names, layout, order, style and
//! language. The result is a list of pairs for a teacher to review. It does not prove plagiarism.
//!
//! A program is split into words and statements, which are reduced to the steps that are compared
//! ([`TokenizedProgram`]).

mod class;
mod code_lexemes;
mod groups;
mod kgrams;
mod lexical;
mod matching;
mod pairs;
mod statements;
mod steps;
mod tokens;
mod vocabulary;

#[cfg(test)]
mod rewriting;

pub use class::{
    ComparedProgram, ProblemSimilarity, SimilarityCheck, TemplateCode, compared_programs, to_csv, to_json,
};
pub use groups::SimilarGroup;
pub use matching::{PairComparison, SharedRegion, compare_pair};
pub use pairs::{MAX_PAIRS, MIN_TOKENS, SimilarPair, SimilarPrograms, compare_all};
pub use tokens::{SourceToken, TokenizedProgram};

#[cfg(test)]
mod likeness_tests;
#[cfg(test)]
#[path = "similarity_tests.rs"]
mod tests;
