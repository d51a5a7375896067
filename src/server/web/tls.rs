//! TLS with the user's certificate.

use std::path::Path;
use std::sync::Arc;

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::version::TLS13;

use crate::model::{Diagnostic, Failure};

/// Help message for TLS files that cannot be used.
const HELP: &str =
    "specify a PEM file with the certificate chain as `--tls-cert`, and a PEM file with the private key as `--tls-key`";

/// Creates an acceptor for TLS 1.3 from two PEM files: the certificate chain, with the server's certificate first, and
/// the private key.
///
/// # Errors
/// Fails if a file cannot be read or parsed, or if the key does not belong to the certificate.
pub(super) fn acceptor(certificates: &Path, key: &Path) -> Result<TlsAcceptor, Failure> {
    let text = fs_err::read(certificates).map_err(|error| Failure::user_file(&error))?;
    let chain: Vec<CertificateDer<'static>> = CertificateDer::pem_slice_iter(&text)
        .collect::<Result<_, _>>()
        .map_err(|error| unusable(certificates, &error.to_string()))?;
    if chain.is_empty() {
        return Err(unusable(certificates, "it contains no certificate"));
    }
    let text = fs_err::read(key).map_err(|error| Failure::user_file(&error))?;
    let secret = PrivateKeyDer::from_pem_slice(&text).map_err(|error| unusable(key, &error.to_string()))?;
    let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_protocol_versions(&[&TLS13])
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, secret))
        .map_err(|error| {
            let (certificates, key) = (certificates.display(), key.display());
            Diagnostic::new(format!("`{certificates}` and `{key}` cannot be used together for TLS: {error}")).help(HELP)
        })?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}

fn unusable(file: &Path, why: &str) -> Failure {
    Diagnostic::new(format!("`{}` cannot be used for TLS: {why}", file.display())).help(HELP).into()
}
