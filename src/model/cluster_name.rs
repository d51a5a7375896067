//! Names of the workers and pools of a cluster.

/// The error for a text that is not a valid name of a worker or a pool. Contains the beginning of the text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a valid name of a worker or a pool; expected 1 to 64 ASCII letters, digits, `-` and `_`")]
pub struct InvalidClusterName(pub String);

/// Checks the name of a worker or a pool, which is part of the subjects of NATS.
///
/// # Errors
/// Fails unless the name consists of 1 to 64 ASCII letters, digits, `-` and `_`.
pub fn check_cluster_name(name: &str) -> Result<(), InvalidClusterName> {
    let good = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    let is_name = (1..=64).contains(&name.len()) && name.bytes().all(good);
    // The name is truncated, because it may originate from a message and have any length.
    if is_name { Ok(()) } else { Err(InvalidClusterName(name.chars().take(65).collect())) }
}
