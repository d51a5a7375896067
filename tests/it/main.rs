//! The integration tests: one binary that runs the real `nimatron`.

mod attacks;
mod foreign;
mod sandbox;
