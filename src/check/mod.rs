//! Checkers: bytes in, finding out.
