//! The language table, builds and the build cache.
