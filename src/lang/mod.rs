//! The language table, builds and the build cache.
//!
//! A language is a row of a table ([`Table`]), a person's program is a [`Source`], what compiles and runs it on this
//! machine is a [`Toolchain`], and [`build`] makes a [`Program`] of them. Compilers and interpreters run in the
//! sandbox too: a compiler is as hostile as what it is given to read. Nothing here runs a contestant's program.

mod artifact;
mod bench;
mod build;
mod bundle;
mod cache;
mod classfile;
mod detect;
mod digest_v1;
mod entry;
mod found;
pub mod java;
mod kit;
mod language;
mod lexer;
mod program;
mod read;
mod script;
mod search;
mod source;
mod stable_key;
mod syntax;
mod table;
mod template;
mod warm;
mod words;

pub use build::{BuildError, Built, Workshop, build, compile_limits};
pub use bundle::{BundledFile, SourceBundle, SourceOrigin};
pub use detect::{DetectError, Toolchain, Toolchains};
pub use language::{Entry, Install, Keep, Kit, Language, Optional, Probe, Real, Stack, Warm};
pub use lexer::{LexemeClass, Lexer, lex};
pub use program::Program;
pub use read::{collide, followed, repository};
pub use search::Surroundings;
pub use source::{LARGEST_OWN, LARGEST_SOURCE, Source, SourceError, SourceFile, fill, fill_constants};
pub use syntax::{Quote, Separator, Syntax};
pub use table::{Choice, Layer, Table, UnknownLanguage};
