//! People's own tests of problems: inputs on which their programs failed.

use rusqlite::{Row, params};

use crate::clock::now_ms;
use crate::model::{Failure, ProblemId};

use super::store::{Durability, SubmissionStore};

/// Maximum number of tests of a person on a problem.
pub const MOST_OWN_TESTS: usize = 100;

/// A person's own test of a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnTest {
    /// The number of the test, from 1; unique among the person's tests of the problem.
    pub number: u32,
    /// The input.
    pub input: Vec<u8>,
    /// The answer; `None` if there is none, as for interactive problems.
    pub answer: Option<Vec<u8>>,
    /// Time at which the test was added, in milliseconds since the Unix epoch.
    pub created: i64,
}

impl OwnTest {
    /// Returns the name of the test, such as `my-1`.
    pub fn name(&self) -> String {
        format!("my-{}", self.number)
    }

    /// Returns the number in the name of a test; `None` if `name` is not the name of a test.
    pub fn number_in(name: &str) -> Option<u32> {
        name.strip_prefix("my-")?.parse().ok()
    }
}

impl SubmissionStore {
    /// Adds a test, and returns its number. If the person already has a test with this input, returns the number of
    /// that test instead. Returns `None` if the person has [`MOST_OWN_TESTS`] tests of this problem.
    pub(super) fn add_own_test(
        &self,
        (person, problem): (&str, &ProblemId),
        input: &[u8],
        answer: Option<&[u8]>,
    ) -> Result<Option<u32>, Failure> {
        self.write(Durability::Now, |batch| {
            let sql = "SELECT number, input = ?3 FROM own_tests WHERE person = ?1 AND problem = ?2 ORDER BY number";
            let row = |row: &Row<'_>| Ok((row.get::<_, u32>(0)?, row.get::<_, bool>(1)?));
            let known: Vec<(u32, bool)> = batch
                .prepare_cached(sql)?
                .query_map(params![person, problem.as_str(), input], row)?
                .collect::<rusqlite::Result<_>>()?;
            if let Some((number, _)) = known.iter().find(|(_, same)| *same) {
                return Ok(Some(*number));
            }
            if known.len() >= MOST_OWN_TESTS {
                return Ok(None);
            }
            let number = known.last().map_or(1, |(number, _)| number + 1);
            let sql = "INSERT INTO own_tests (person, problem, number, created_ms, input, answer)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
            batch.prepare_cached(sql)?.execute(params![person, problem.as_str(), number, now_ms(), input, answer])?;
            Ok(Some(number))
        })
    }

    /// Returns the tests of a person on a problem, the oldest first.
    pub(super) fn own_tests(&self, person: &str, problem: &ProblemId) -> Result<Vec<OwnTest>, Failure> {
        let sql = "SELECT number, created_ms, input, answer FROM own_tests WHERE person = ?1 AND problem = ?2
            ORDER BY number";
        let test = |row: &Row<'_>| {
            Ok(OwnTest { number: row.get(0)?, created: row.get(1)?, input: row.get(2)?, answer: row.get(3)? })
        };
        self.read(|connection| {
            connection.prepare_cached(sql)?.query_map(params![person, problem.as_str()], test)?.collect()
        })
    }

    /// Removes a test. Returns whether the test existed.
    pub(super) fn remove_own_test(&self, person: &str, problem: &ProblemId, number: u32) -> Result<bool, Failure> {
        let sql = "DELETE FROM own_tests WHERE person = ?1 AND problem = ?2 AND number = ?3";
        let removed = self.write(Durability::Now, |batch| {
            batch.prepare_cached(sql)?.execute(params![person, problem.as_str(), number])
        })?;
        Ok(removed > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_belong_to_a_person_and_a_problem() {
        let dir = tempfile::tempdir().unwrap();
        let store = SubmissionStore::open(dir.path()).unwrap();
        let sum: ProblemId = "sum".parse().unwrap();
        let add = |person: &str, input: &[u8]| store.add_own_test((person, &sum), input, Some(b"3\n")).unwrap();
        assert_eq!((add("ann", b"1\n1\n"), add("ann", b"2\n"), add("zoë", b"1\n1\n")), (Some(1), Some(2), Some(1)));
        assert_eq!(add("ann", b"1\n1\n"), Some(1), "an input is kept once");
        let names = |person: &str| -> Vec<String> {
            store.own_tests(person, &sum).unwrap().iter().map(OwnTest::name).collect()
        };
        assert_eq!(names("ann"), ["my-1", "my-2"]);
        assert!(store.own_tests("ann", &"other".parse().unwrap()).unwrap().is_empty());
        assert!(!store.remove_own_test("zoë", &sum, 2).unwrap());
        assert!(store.remove_own_test("ann", &sum, 1).unwrap());
        assert_eq!((names("ann"), names("zoë")), (vec!["my-2".to_owned()], vec!["my-1".to_owned()]));
        assert_eq!(OwnTest::number_in("my-12"), Some(12));
        for name in ["", "my-", "my-x", "12", "my--1"] {
            assert_eq!(OwnTest::number_in(name), None, "{name}");
        }
        let all = (0..MOST_OWN_TESTS + 5).filter_map(|number| add("max", number.to_string().as_bytes())).count();
        assert_eq!(all, MOST_OWN_TESTS);
    }
}
