//! Similarity of submissions: finds programs that share code, independent of names, layout and order. The result is a
//! list of pairs for a teacher to review. It does not prove plagiarism.

mod class;
mod matching;
mod pairs;
mod tokens;
mod winnow;

pub use class::{ComparedProgram, ProblemSimilarity, SimilarityCheck, TemplateCode, to_csv, to_json};
pub use matching::{PairComparison, SharedRegion, compare_pair};
pub use pairs::{MAX_PAIRS, MIN_TOKENS, SimilarPair, SimilarPrograms, compare_all};
pub use tokens::{SourceToken, TokenizedProgram};
pub use winnow::{KGRAM, WINDOW};

#[cfg(test)]
#[path = "similarity_tests.rs"]
mod tests;
