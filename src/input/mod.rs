//! Input descriptions: parse, validate, generate, enumerate.
