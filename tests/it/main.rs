//! The integration tests: one binary that runs the real `nimatron`.

mod languages;
mod sandbox;
