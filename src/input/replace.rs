//! Replaces the numbers of one variable of an instance.

use super::description::Description;
use super::instance::{Cells, Instance};

impl Description {
    /// Returns a copy of the instance in which the values of `name` are `numbers`, and the counts are updated.
    /// Returns `None` if the result is invalid, or if `name` is not an integer variable or is a list in rows.
    pub fn with_ints(&self, instance: &Instance, name: &str, numbers: &[i64]) -> Option<Instance> {
        let var = self.layout.find(name)?;
        let mut columns = instance.columns.clone();
        let column = columns.get_mut(var)?;
        if !self.layout.vars[var].is_int() || !column.ends.is_empty() {
            return None;
        }
        column.cells = Cells::Numbers(numbers.to_vec());
        self.repaired(columns)
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::describe;

    #[test]
    fn counts_follow_a_list() {
        let description = describe("n: 1..=5; k: 1..=9\na[n]: 1..=9");
        let instance = description.read(b"2 7\n4 5\n", None).unwrap();
        let with = |name: &str, numbers: &[i64]| {
            description.with_ints(&instance, name, numbers).map(|found| found.to_bytes(&description))
        };
        assert_eq!(with("a", &[3, 1, 2]), Some(b"3 7\n3 1 2\n".to_vec()));
        assert_eq!(with("k", &[9]), Some(b"2 9\n4 5\n".to_vec()));
        for (name, numbers) in [("a", vec![]), ("a", vec![0]), ("a", vec![1; 6]), ("k", vec![1, 2]), ("x", vec![1])] {
            assert_eq!(with(name, &numbers), None, "{name} {numbers:?}");
        }
    }
}
