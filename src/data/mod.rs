//! Make, answer, validate and lock test data.
