//! Lays out a table of a Markdown document.

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, TableStyle};

use super::theme::{Paint, Theme};

/// Border style: a rule below the header and no other lines.
const STYLE: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// A table whose first row is the header.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// Whether each column is right-aligned.
    right: Vec<bool>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn new(right: Vec<bool>) -> Table {
        Table { right, rows: Vec::new() }
    }

    /// Starts a new row.
    pub(super) fn row(&mut self) {
        self.rows.push(Vec::new());
    }

    /// Adds a cell to the last row.
    pub(super) fn cell(&mut self, lines: &[String]) {
        if let Some(row) = self.rows.last_mut() {
            row.push(lines.join("\n"));
        }
    }

    /// Returns the lines of the table. Cells are wrapped, if possible, so that no line is wider than `columns` columns.
    pub(super) fn lines(&self, columns: usize, theme: Theme) -> Vec<String> {
        let Some((head, rows)) = self.rows.split_first() else { return Vec::new() };
        let mut table = comfy_table::Table::new();
        table
            .load_style(STYLE)
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_width(u16::try_from(columns).unwrap_or(u16::MAX))
            .set_header(head)
            .add_rows(rows);
        for (at, _) in self.right.iter().enumerate().filter(|(_, right)| **right) {
            if let Some(column) = table.column_mut(at) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        let rule = |line: &str| line.chars().all(|c| !c.is_alphanumeric() && !c.is_ascii());
        let paint = |line: String| if rule(&line) { theme.paint(Paint::Faint, line) } else { line };
        table.lines().map(|line| paint(line.trim_end().to_owned())).collect()
    }
}
