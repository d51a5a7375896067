//! The fuzz target of all readers. `NIMATRON_FUZZ_READER` selects the reader, so that one binary is built for all of
//! them.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;

mod reader_list;

/// The selected reader.
static READER: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    let name = std::env::var("NIMATRON_FUZZ_READER").expect("NIMATRON_FUZZ_READER is the name of a reader");
    reader_list::find(&name).unwrap_or_else(|| panic!("there is no reader `{name}`"))
});

fuzz_target!(|data: &[u8]| READER(data));
