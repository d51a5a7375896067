//! The connection to `nats-server`.

use std::path::PathBuf;
use std::time::Duration;

use async_nats::{Client, ConnectOptions};

use super::doorbell::check_server;

/// Time limit for one attempt to connect.
const ATTEMPT: Duration = Duration::from_secs(5);

/// The address of a `nats-server`, and the credential for it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NatsAddress {
    /// The URL: `nats://HOST:PORT`, or `tls://HOST:PORT`; several are separated by commas.
    pub url: String,
    /// The file with the seed of an NKey; `None` for a server without accounts.
    pub nkey: Option<PathBuf>,
    /// The file with the certificate that signed the server's certificate; `None` for the certificates of the system.
    pub ca: Option<PathBuf>,
}

/// The key of a user of nats-server.
#[derive(Clone, PartialEq, Eq)]
pub struct UserKey {
    /// The secret, for the file that [`NatsAddress::nkey`] names.
    pub seed: String,
    /// The public key, for the configuration of the server.
    pub public: String,
}

impl UserKey {
    /// Creates a key with random numbers from the operating system.
    ///
    /// # Errors
    /// Fails if the key can't be encoded.
    pub fn random() -> Result<UserKey, ConnectError> {
        let pair = nkeys::KeyPair::new_user();
        let seed = pair.seed().map_err(|error| ConnectError::Refused(format!("cannot create an NKey: {error}")))?;
        Ok(UserKey { seed, public: pair.public_key() })
    }
}

/// The reason why there is no connection.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The connection failed. A later attempt may succeed.
    #[error("cannot connect to nats-server at `{url}`: {reason}")]
    Unreachable {
        /// The URL of the server.
        url: String,
        /// The error of the last attempt.
        reason: String,
    },
    /// The server is too old, its version can't be parsed, the file of the NKey can't be read, or no NKey can be
    /// created.
    #[error("{0}")]
    Refused(String),
}

/// Connects to the server. `name` is the name of the connection in the server's lists; the answers to its requests are
/// sent on subjects below `_INBOX.NAME`, so that a server can permit each worker to read only its own answers. The
/// connection is restored whenever it breaks.
///
/// # Errors
/// Fails if the server can't be reached or refuses the connection, if it is older than
/// [`OLDEST_SERVER`](super::OLDEST_SERVER) or its version can't be parsed, or if a file of `address` can't be read.
pub async fn connect(address: &NatsAddress, name: &str) -> Result<Client, ConnectError> {
    let mut options = match &address.nkey {
        None => ConnectOptions::new(),
        Some(path) => {
            let seed = fs_err::read_to_string(path)
                .map_err(|error| ConnectError::Refused(format!("cannot read the NKey file: {error}")))?;
            ConnectOptions::with_nkey(seed.trim().to_owned())
        }
    };
    if let Some(ca) = &address.ca {
        options = options.add_root_certificates(ca.clone()).require_tls(true);
    }
    let options = options.name(name).custom_inbox_prefix(format!("_INBOX.{name}")).connection_timeout(ATTEMPT);
    let unreachable = |reason: String| ConnectError::Unreachable { url: address.url.clone(), reason };
    let client = options.connect(&*address.url).await.map_err(|error| unreachable(error.to_string()))?;
    check_server(&client).map_err(ConnectError::Refused)?;
    Ok(client)
}
