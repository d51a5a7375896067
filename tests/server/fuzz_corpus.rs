//! Runs the readers of the fuzz target on the inputs in `tests/fuzz/corpus`, so that an input that once caused a fault
//! is tested without a fuzzer.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::project::repository;

#[path = "../fuzz/reader_list.rs"]
mod reader_list;

/// Returns the inputs of each reader.
fn corpus() -> BTreeMap<String, Vec<PathBuf>> {
    let root = repository().join("tests/fuzz/corpus");
    let mut corpus: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for entry in walkdir::WalkDir::new(&root).sort_by_file_name() {
        let entry = entry.unwrap();
        if entry.file_type().is_file() {
            let reader = entry.path().parent().and_then(Path::file_name).unwrap().to_string_lossy().into_owned();
            corpus.entry(reader).or_default().push(entry.path().to_owned());
        }
    }
    corpus
}

#[test]
fn every_reader_has_inputs() {
    let names: Vec<String> = reader_list::READERS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(corpus().into_keys().collect::<Vec<_>>(), names);
}

#[test]
fn readers_accept_or_reject_every_input() {
    let mut corpus = corpus();
    // The server of this reader runs until the end of the process. `tests/server` sends such requests to a real one.
    corpus.remove("http");
    for (reader, files) in corpus {
        for file in files {
            println!("{reader} {}", file.display());
            reader_list::find(&reader).unwrap()(&fs_err::read(&file).unwrap());
        }
    }
}
