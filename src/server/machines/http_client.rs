//! Connections to HTTP servers, with and without TLS.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hyper::Uri;
use hyper::body::Body;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::version::TLS13;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::model::{Diagnostic, Failure, Fault, FaultKind};

/// The ports that are used if a URL specifies none.
const HTTP_PORT: u16 = 80;
const HTTPS_PORT: u16 = 443;
/// Paths of the files with the trusted root certificates on various systems. The first file that exists is read.
const SYSTEM_ROOTS: [&str; 3] =
    ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem"];

/// The root certificates against which the certificates of servers are verified.
#[derive(Clone)]
pub(super) struct TrustedRoots(TlsConnector);

impl TrustedRoots {
    /// Reads the certificates in the PEM file `ca`, or the certificates that the system trusts if `ca` is `None`.
    ///
    /// # Errors
    /// Fails if the file can't be read, or contains no certificate.
    pub(super) fn load(ca: Option<&Path>) -> Result<TrustedRoots, Failure> {
        let system = || SYSTEM_ROOTS.iter().map(PathBuf::from).find(|path| path.exists());
        let mut roots = RootCertStore::empty();
        if let Some(path) = ca.map(Path::to_owned).or_else(system) {
            let text = fs_err::read(&path).map_err(|error| Failure::user_file(&error))?;
            // Certificates that rustls cannot parse are skipped, because the system's file may contain such
            // certificates.
            roots.add_parsable_certificates(CertificateDer::pem_slice_iter(&text).flatten());
        }
        if let Some(path) = ca.filter(|_| roots.is_empty()) {
            let message = format!("`{}` contains no certificate", path.display());
            return Err(Diagnostic::new(message).help("specify a PEM file that contains a certificate").into());
        }
        let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
            .with_protocol_versions(&[&TLS13])
            .map_err(|error| Fault::new(FaultKind::Internal, format!("cannot configure TLS: {error}")))?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(TrustedRoots(TlsConnector::from(Arc::new(config))))
    }
}

/// A server at a URL that begins with `http://` or `https://`.
pub(super) struct HttpPeer {
    /// Host and port as in the URL.
    authority: String,
    host: String,
    port: u16,
    tls: Option<(TlsConnector, ServerName<'static>)>,
}

impl HttpPeer {
    /// Creates a peer without connecting to it.
    ///
    /// # Errors
    /// Fails with the reason if the URL is invalid.
    pub(super) fn new(url: &str, roots: &TrustedRoots) -> Result<HttpPeer, String> {
        let uri: Uri = url.parse().map_err(|_| format!("`{url}` is not a valid URL"))?;
        let (host, authority) = uri.host().zip(uri.authority()).ok_or_else(|| format!("`{url}` has no host"))?;
        let host = host.trim_matches(['[', ']']).to_owned();
        let is_tls = match uri.scheme_str() {
            Some("http") => false,
            Some("https") => true,
            _ => return Err(format!("`{url}` does not begin with `http://` or `https://`")),
        };
        let tls = match is_tls {
            true => {
                let name =
                    ServerName::try_from(host.clone()).map_err(|_| format!("`{host}` is not a valid host name"))?;
                Some((roots.0.clone(), name))
            }
            false => None,
        };
        let port = uri.port_u16().unwrap_or(if is_tls { HTTPS_PORT } else { HTTP_PORT });
        Ok(HttpPeer { authority: authority.to_string(), host, port, tls })
    }

    /// Returns the host and port as in the URL, for the header `Host`.
    pub(super) fn authority(&self) -> &str {
        &self.authority
    }

    /// Opens a connection, and adds the task that drives the connection to `driver`.
    ///
    /// # Errors
    /// Fails with the reason if the server can't be reached, or if its certificate is not trusted.
    pub(super) async fn connect<B>(&self, driver: &mut JoinSet<hyper::Result<()>>) -> Result<SendRequest<B>, String>
    where
        B: Body<Data: Send, Error: Into<Box<dyn std::error::Error + Send + Sync>>> + Send + 'static,
    {
        let stream = TcpStream::connect((self.host.as_str(), self.port)).await.map_err(|error| error.to_string())?;
        match &self.tls {
            None => begin(stream, driver).await,
            Some((connector, name)) => {
                let stream = connector.connect(name.clone(), stream).await;
                begin(stream.map_err(|error| format!("the TLS handshake failed: {error}"))?, driver).await
            }
        }
    }
}

async fn begin<S, B>(stream: S, driver: &mut JoinSet<hyper::Result<()>>) -> Result<SendRequest<B>, String>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    B: Body<Data: Send, Error: Into<Box<dyn std::error::Error + Send + Sync>>> + Send + 'static,
{
    let (sender, connection) = handshake(TokioIo::new(stream)).await.map_err(|error| error.to_string())?;
    driver.spawn(connection);
    Ok(sender)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_a_scheme_and_a_host() {
        let roots = TrustedRoots::load(None).unwrap();
        for (url, port, is_tls) in [
            ("http://127.0.0.1:8708", 8708, false),
            ("http://judge.example", 80, false),
            ("https://judge.example/", 443, true),
            ("https://[::1]:8443", 8443, true),
        ] {
            let peer = HttpPeer::new(url, &roots).unwrap();
            assert_eq!((peer.port, peer.tls.is_some()), (port, is_tls), "{url}");
        }
        for url in ["", "judge.example", "ftp://judge.example", "https://", "nats://a:1"] {
            assert!(HttpPeer::new(url, &roots).is_err(), "{url}");
        }
    }

    #[test]
    fn a_file_without_a_certificate_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ca.pem");
        fs_err::write(&file, "no certificate").unwrap();
        let refusal = TrustedRoots::load(Some(&file)).err().unwrap().to_string();
        assert!(refusal.contains("contains no certificate"), "{refusal}");
        assert!(TrustedRoots::load(Some(&folder.path().join("missing"))).is_err());
    }
}
