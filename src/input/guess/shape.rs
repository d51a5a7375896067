//! Finds the form that examples have in common: lines with single values and lists, and blocks whose number of rows is
//! a value of the input.

/// Pairs of `factor` and `plus` in counts of the form `factor * name + plus`.
const COUNTS: [(i64, i64); 4] = [(1, 0), (1, -1), (1, 1), (2, 0)];
/// Maximum number of single values on a line. More values form a list of fixed length.
const MOST_SINGLE: usize = 8;
/// Maximum number of single values that precede a list on the same line.
const BEFORE_LIST: usize = 3;
/// Maximum number of lines in each row of a block.
const MOST_LINES: usize = 4;
/// Maximum number of steps of the search.
const STEPS: u32 = 20_000;

/// The common form of examples.
#[derive(Debug, Clone)]
pub(super) struct InputShape<'t> {
    pub(super) items: Vec<ShapeItem<'t>>,
}

/// A line, or a block of lines.
#[derive(Debug, Clone)]
pub(super) enum ShapeItem<'t> {
    Line(Vec<ShapeField<'t>>),
    Block { count: Count, lines: Vec<Vec<ShapeField<'t>>> },
}

/// A value or a list, with the tokens that it has in the examples.
#[derive(Debug, Clone)]
pub(super) struct ShapeField<'t> {
    /// Number that identifies the field in counts.
    pub(super) id: usize,
    /// The length of a list; `None` for a value.
    pub(super) length: Option<ShapeLength>,
    /// The tokens in each example or, in a block, in each row of each example.
    pub(super) rows: Vec<Row<'t>>,
}

/// The tokens of a field in one row.
#[derive(Debug, Clone)]
pub(super) struct Row<'t> {
    /// Index of the example that contains the row.
    pub(super) example: usize,
    pub(super) tokens: Vec<&'t str>,
}

/// The length of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ShapeLength {
    Fixed(usize),
    Counted(Count),
}

/// A count, computed as `factor * field + plus`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Count {
    pub(super) field: usize,
    pub(super) factor: i64,
    pub(super) plus: i64,
}

impl Count {
    fn of(self, value: i64) -> Option<i64> {
        self.factor.checked_mul(value)?.checked_add(self.plus)
    }

    /// Returns the expression in the notation of descriptions.
    pub(super) fn text(self, name: &str) -> String {
        let product = if self.factor == 1 { name.to_owned() } else { format!("{}*{name}", self.factor) };
        match self.plus {
            0 => product,
            plus if plus > 0 => format!("{product}+{plus}"),
            plus => format!("{product}-{}", -plus),
        }
    }
}

/// Splits an input into lines of tokens, without empty lines at the end if `trim` is set.
pub(super) fn lines(text: &str, trim: bool) -> Vec<Vec<&str>> {
    let mut lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_ascii_whitespace().collect()).collect();
    while trim && lines.last().is_some_and(Vec::is_empty) {
        lines.pop();
    }
    lines
}

/// Returns the lines as text, with one space between tokens.
pub fn canonical_text<T: std::borrow::Borrow<str>>(lines: &[Vec<T>]) -> Vec<u8> {
    lines.iter().flat_map(|line| format!("{}\n", line.join(" ")).into_bytes()).collect()
}

/// Parses an integer in canonical decimal form. Returns `None` for other tokens, such as `+1` or `007`, and for an
/// integer that does not fit in 64 bits.
pub fn plain_integer(token: &str) -> Option<i64> {
    let number: i64 = token.parse().ok()?;
    (number.to_string() == token).then_some(number)
}

/// The lines of an example, or of one row of a block. The search finds a form that all views share.
#[derive(Debug, Clone, Copy)]
struct View<'e, 't> {
    example: usize,
    lines: &'e [Vec<&'t str>],
}

/// A field with a single integer that may be a count, and its value in each view.
#[derive(Debug, Clone)]
struct CountingField {
    field: usize,
    values: Vec<i64>,
}

/// The form of one line: a number of single values, then an optional list.
#[derive(Debug, Clone, Copy)]
struct LineForm {
    single: usize,
    list: Option<ListForm>,
}

/// The length of the list at the end of a line.
#[derive(Debug, Clone, Copy)]
enum ListForm {
    Fixed(usize),
    /// The length is computed from a field on an earlier line.
    By(Count),
    /// The length is computed from the single value with this index on the same line.
    Own {
        index: usize,
        factor: i64,
        plus: i64,
    },
}

/// Finds the common form of all examples. Returns `None` if no form fits, if an example has no lines, or if the search
/// takes too many steps.
pub(super) fn find<'t>(examples: &[Vec<Vec<&'t str>>]) -> Option<InputShape<'t>> {
    if examples.is_empty() || examples.iter().any(Vec::is_empty) {
        return None;
    }
    let views: Vec<View<'_, 't>> =
        examples.iter().enumerate().map(|(example, lines)| View { example, lines }).collect();
    let mut search = ShapeSearch { steps: STEPS, fields: 0 };
    let items = search.items(&views, &vec![0; views.len()], &mut Vec::new())?;
    Some(InputShape { items })
}

struct ShapeSearch {
    steps: u32,
    /// Number of fields created so far.
    fields: usize,
}

impl ShapeSearch {
    /// Finds items that describe the lines of each view `views[i]` from index `at[i]` to the end of the view. Returns
    /// `None` if no items fit, or if the search takes too many steps.
    fn items<'t>(
        &mut self,
        views: &[View<'_, 't>],
        at: &[usize],
        known: &mut Vec<CountingField>,
    ) -> Option<Vec<ShapeItem<'t>>> {
        self.steps = self.steps.checked_sub(1)?;
        if views.iter().zip(at).all(|(view, at)| *at == view.lines.len()) {
            return Some(Vec::new());
        }
        let fields = self.fields;
        for (count, height) in blocks(views, at, known) {
            if let Some(items) = self.block(views, at, known, (count, height)) {
                return Some(items);
            }
            self.fields = fields;
        }
        let here: Option<Vec<&[&'t str]>> =
            views.iter().zip(at).map(|(view, at)| view.lines.get(*at).map(Vec::as_slice)).collect();
        let here = here?;
        let next: Vec<usize> = at.iter().map(|at| at + 1).collect();
        let depth = known.len();
        for form in forms(&here, known) {
            let line = self.line(views, &here, form, known);
            if let Some(mut items) = self.items(views, &next, known) {
                items.insert(0, ShapeItem::Line(line));
                return Some(items);
            }
            known.truncate(depth);
            self.fields = fields;
        }
        None
    }

    /// Finds a block of `count` rows with `height` lines each, which begins at index `at[i]` of each view `views[i]`,
    /// and the items after the block. Returns `None` if no such block and items fit.
    fn block<'t>(
        &mut self,
        views: &[View<'_, 't>],
        at: &[usize],
        known: &mut Vec<CountingField>,
        (count, height): (Count, usize),
    ) -> Option<Vec<ShapeItem<'t>>> {
        let counter = known.iter().find(|known| known.field == count.field)?;
        let counts: Vec<usize> =
            counter.values.iter().map(|value| usize::try_from(count.of(*value)?).ok()).collect::<Option<_>>()?;
        let (mut rows, mut of_view) = (Vec::new(), Vec::new());
        for (number, ((view, at), count)) in views.iter().zip(at).zip(&counts).enumerate() {
            for row in 0..*count {
                let start = at + row * height;
                rows.push(View { example: view.example, lines: view.lines.get(start..start + height)? });
                of_view.push(number);
            }
        }
        let in_rows = |known: &CountingField| CountingField {
            field: known.field,
            values: of_view.iter().map(|view| known.values[*view]).collect(),
        };
        let mut inner: Vec<CountingField> = known.iter().map(in_rows).collect();
        let lines = self.rows(&rows, 0, &mut inner)?;
        let next: Vec<usize> = at.iter().zip(&counts).map(|(at, count)| at + count * height).collect();
        let depth = known.len();
        let rest = self.items(views, &next, known);
        known.truncate(depth);
        let mut items = rest?;
        items.insert(0, ShapeItem::Block { count, lines });
        Some(items)
    }

    /// Finds the fields of the lines of a block, starting at the line with index `line` of each row. Returns `None` if
    /// no fields fit, or if the search takes too many steps.
    fn rows<'t>(
        &mut self,
        rows: &[View<'_, 't>],
        line: usize,
        known: &mut Vec<CountingField>,
    ) -> Option<Vec<Vec<ShapeField<'t>>>> {
        self.steps = self.steps.checked_sub(1)?;
        let here: Option<Vec<&[&'t str]>> = rows.iter().map(|row| row.lines.get(line).map(Vec::as_slice)).collect();
        let Some(here) = here else { return Some(Vec::new()) };
        let (depth, fields) = (known.len(), self.fields);
        for form in forms(&here, known) {
            let first = self.line(rows, &here, form, known);
            if let Some(mut lines) = self.rows(rows, line + 1, known) {
                lines.insert(0, first);
                return Some(lines);
            }
            known.truncate(depth);
            self.fields = fields;
        }
        None
    }

    /// Returns the fields of a line of the form `form`. Fields that are a single integer in every view are also added
    /// to `known`, since they may be counts.
    fn line<'t>(
        &mut self,
        views: &[View<'_, 't>],
        here: &[&[&'t str]],
        form: LineForm,
        known: &mut Vec<CountingField>,
    ) -> Vec<ShapeField<'t>> {
        let first = self.fields;
        let mut fields = Vec::new();
        let rows = |range: &dyn Fn(&[&'t str]) -> Vec<&'t str>| -> Vec<Row<'t>> {
            let row =
                |(view, tokens): (&View<'_, 't>, &&[&'t str])| Row { example: view.example, tokens: range(tokens) };
            views.iter().zip(here).map(row).collect()
        };
        for index in 0..form.single {
            let id = self.fields;
            self.fields += 1;
            let values: Option<Vec<i64>> = here.iter().map(|tokens| plain_integer(tokens[index])).collect();
            known.extend(values.map(|values| CountingField { field: id, values }));
            fields.push(ShapeField { id, length: None, rows: rows(&|tokens| vec![tokens[index]]) });
        }
        if let Some(list) = form.list {
            let length = match list {
                ListForm::Fixed(length) => ShapeLength::Fixed(length),
                ListForm::By(count) => ShapeLength::Counted(count),
                ListForm::Own { index, factor, plus } => {
                    ShapeLength::Counted(Count { field: first + index, factor, plus })
                }
            };
            let id = self.fields;
            self.fields += 1;
            fields.push(ShapeField { id, length: Some(length), rows: rows(&|tokens| tokens[form.single..].to_vec()) });
        }
        fields
    }
}

/// Returns the possible formulas for the row count of a block, each with the number of lines per row. In the view
/// `views[i]`, the block begins at line `at[i]`.
fn blocks(views: &[View<'_, '_>], at: &[usize], known: &[CountingField]) -> Vec<(Count, usize)> {
    let mut found = Vec::new();
    for known in known.iter().rev() {
        for (factor, plus) in COUNTS {
            let count = Count { field: known.field, factor, plus };
            let counts: Option<Vec<i64>> = known.values.iter().map(|value| count.of(*value)).collect();
            let Some(counts) = counts.filter(|counts| counts.iter().all(|count| *count >= 0)) else { continue };
            let varied = counts.iter().any(|count| *count >= 2) || counts.iter().any(|count| *count != counts[0]);
            if !varied || counts.iter().all(|count| *count == 0) {
                continue;
            }
            for height in 1..=MOST_LINES {
                let fits = |((view, at), count): ((&View<'_, '_>, &usize), &i64)| {
                    usize::try_from(*count).is_ok_and(|count| count.saturating_mul(height) <= view.lines.len() - at)
                };
                if views.iter().zip(at).zip(&counts).all(fits) {
                    found.push((count, height));
                }
            }
        }
    }
    found
}

/// Returns the forms that a line may have, the most likely first.
fn forms(here: &[&[&str]], known: &[CountingField]) -> Vec<LineForm> {
    let Some(least) = here.iter().map(|tokens| tokens.len()).min() else {
        // The block has no rows in any example.
        return Vec::new();
    };
    let same = here.iter().all(|tokens| tokens.len() == least);
    let single = LineForm { single: least, list: None };
    let mut lists = Vec::new();
    for before in 0..=BEFORE_LIST.min(least) {
        let lengths: Vec<i64> = here.iter().map(|tokens| (tokens.len() - before) as i64).collect();
        lists.extend(list_forms(here, known, before, &lengths));
    }
    if !same {
        return lists;
    }
    if least > MOST_SINGLE {
        lists.push(LineForm { single: 0, list: Some(ListForm::Fixed(least)) });
        return lists;
    }
    let plain =
        |form: &LineForm| form.single == 0 && matches!(form.list, Some(ListForm::By(Count { factor: 1, plus: 0, .. })));
    if least == 0 || least >= 2 && lists.iter().any(plain) {
        lists.push(single)
    } else {
        lists.insert(0, single)
    }
    lists.retain(|form| form.single + usize::from(form.list.is_some()) > 0);
    lists
}

/// Returns the forms with `before` single values and a list whose length in the view `i` is `lengths[i]`.
fn list_forms(here: &[&[&str]], known: &[CountingField], before: usize, lengths: &[i64]) -> Vec<LineForm> {
    let mut found = Vec::new();
    for (factor, plus) in COUNTS {
        let matches = |values: &mut dyn Iterator<Item = Option<i64>>| {
            let count = Count { field: 0, factor, plus };
            values.zip(lengths).all(|(value, length)| value.and_then(|value| count.of(value)) == Some(*length))
        };
        for index in (0..before).rev() {
            if matches(&mut here.iter().map(|tokens| plain_integer(tokens[index]))) {
                found.push(LineForm { single: before, list: Some(ListForm::Own { index, factor, plus }) });
            }
        }
        for known in known.iter().rev() {
            if matches(&mut known.values.iter().map(|value| Some(*value))) {
                let list = ListForm::By(Count { field: known.field, factor, plus });
                found.push(LineForm { single: before, list: Some(list) });
            }
        }
    }
    found
}
