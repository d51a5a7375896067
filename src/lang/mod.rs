//! The language table, builds, and the build cache.
//!
//! A language is a row of a table ([`LanguageTable`]), and a submitted program is a [`Source`]. The programs that
//! compile and run it on this machine are a [`Toolchain`], with which [`build`] builds the source into a [`Program`].
//! Compilers and interpreters also run in the sandbox, because the source may be an attack on them. This module does
//! not run contestants' programs.

use nimatron_database as database;
use nimatron_model as model;
use nimatron_sandbox as sandbox;
use nimatron_unzip as unzip;
use nimatron_yaml as yaml;

mod artifact;
mod author_files;
mod build;
mod build_cache;
mod build_context;
mod build_dir;
mod built_in_rows;
mod bundle;
mod classfile;
mod detect;
mod detect_cache;
mod diagnostics;
mod digest_v1;
mod entry_file;
pub mod java;
mod kit;
mod kit_build;
mod language;
mod lexer;
mod linked_program;
mod path_search;
mod precompile;
mod precompiled_header;
mod program;
mod program_rules;
mod recorder;
mod recorder_filter;
mod shared_build;
mod source;
mod source_error;
mod source_files;
mod special_languages;
mod stable_key;
mod start_object;
mod syntax;
mod table;
mod template;

pub use author_files::{AuthorFiles, TESTLIB, TESTLIB_FOLDERS};
pub use build::{ReadyBuild, build, built_before};
pub use build_context::{BuildContext, BuildError, compile_limits};
pub use bundle::{BundledFile, SourceBundle, SourceOrigin};
pub use detect::{DetectError, Toolchain, Toolchains};
pub use language::{
    EntryPoint, Install, Keep, Kit, Language, LeastVersion, LinkedRecorder, Optional, PrecompiledLibrary, Probe, Stack,
    WrappedProgram,
};
pub use lexer::{LexemeClass, Lexer, lex};
pub use path_search::HostEnvironment;
pub use program::Program;
pub use program_rules::ProgramRules;
pub use recorder::{DialogueRecord, RECORD_MAX, RECORDER_VARIABLE, recorder_value};
pub use source::{Source, SourceFile, fill, fill_constants};
pub use source_error::{LARGEST_AUTHOR_SOURCE, LARGEST_SOURCE, SourceError};
pub use source_files::{paths_conflict, repository_root, resolve_link};
pub use start_object::start_hook_object;
pub use syntax::{Quote, Separator, Syntax};
pub use table::{LanguageQuery, LanguageTable, TableLayer, UnknownLanguage};
pub use template::{Template, TemplateValues};

/// The library for problem authors' programs is a separate crate, which `kit` embeds as text. It is a module here only
/// to run its tests.
#[cfg(test)]
#[path = "kit/lib.rs"]
pub mod kit_library;
