//! TLS with the user's own certificate.

use std::path::Path;
use std::sync::Arc;

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::version::TLS13;

use crate::model::{Diagnostic, Failure};

/// Prepares TLS 1.3 with the certificates in one PEM file, the server's first, and the key in another.
///
/// # Errors
/// Fails if a file can't be read, if it does not have what it should, or if the key is not that of the certificate.
pub(super) fn acceptor(certificates: &Path, key: &Path) -> Result<TlsAcceptor, Failure> {
    let text = fs_err::read(certificates).map_err(|error| Failure::user_file(&error))?;
    let chain: Vec<CertificateDer<'static>> = CertificateDer::pem_slice_iter(&text)
        .collect::<Result<_, _>>()
        .map_err(|error| unusable(certificates, &error.to_string()))?;
    if chain.is_empty() {
        return Err(unusable(certificates, "there is no certificate in it"));
    }
    let text = fs_err::read(key).map_err(|error| Failure::user_file(&error))?;
    let secret = PrivateKeyDer::from_pem_slice(&text).map_err(|error| unusable(key, &error.to_string()))?;
    let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_protocol_versions(&[&TLS13])
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, secret))
        .map_err(|error| unusable(certificates, &error.to_string()))?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}

fn unusable(file: &Path, why: &str) -> Failure {
    Diagnostic::new(format!("{}: can't be used for TLS: {why}", file.display()))
        .help(
            "give PEM files: --tls-cert with the certificate and those that signed it, --tls-key with its private key",
        )
        .into()
}
