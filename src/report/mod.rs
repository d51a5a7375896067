//! Events to terminal, JSON lines and JUnit.
