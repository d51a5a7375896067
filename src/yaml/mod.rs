//! Text a person wrote → values with their places, or a `Diagnostic`. The one module that names the YAML crate.
