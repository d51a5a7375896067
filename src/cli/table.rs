//! Plain-text tables that fit the width of a terminal.

use comfy_table::{ContentArrangement, Table, presets};

/// Formats rows below a header, which is omitted if it is empty. Cells are wrapped at words to fit in `width` columns
/// if possible.
pub(crate) fn draw(header: Vec<String>, rows: Vec<Vec<String>>, width: usize) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(u16::try_from(width).unwrap_or(u16::MAX));
    if !header.is_empty() {
        table.set_header(header);
    }
    table.add_rows(rows);
    table.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}
