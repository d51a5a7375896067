//! The address of nats-server with the files that the options name.

use crate::cli::NatsOptions;
use crate::machines::NatsAddress;

/// Returns the address for connecting to nats-server: this URL, with the files given by the options.
pub(super) fn nats_address(options: &NatsOptions, url: &str) -> NatsAddress {
    NatsAddress { url: url.to_owned(), nkey: options.nkey.clone(), ca: options.nats_ca.clone() }
}
