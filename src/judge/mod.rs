//! `Session` (decides), `Executor` (does), and the loop between them.
