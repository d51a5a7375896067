//! Fetches files from the coordinator by their hashes.

use std::time::Duration;

use http_body_util::{BodyExt as _, Empty, Limited};
use hyper::body::Bytes;
use hyper::client::conn::http1::handshake;
use hyper::{Request, StatusCode, Uri, header};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::runtime::Handle;
use tokio::time::{sleep, timeout};

use crate::model::{Digest, Fault, FaultKind};
use crate::queue::JobNumber;

use super::work_order::WorkOrder;

/// Maximum number of attempts to fetch a file.
const ATTEMPTS: u32 = 4;
/// The pause before the second attempt. The pause doubles before each further attempt.
const PAUSE: Duration = Duration::from_millis(250);
/// Time limit for one attempt.
const PATIENCE: Duration = Duration::from_secs(60);
/// Maximum size of a file, in bytes.
const LARGEST: usize = 1 << 30;
/// The port of an address without one.
const HTTP_PORT: u16 = 80;

/// Fetches the files of one job.
pub(super) struct BlobClient<'a> {
    pub runtime: &'a Handle,
    pub order: &'a WorkOrder,
    pub job: JobNumber,
    pub epoch: u64,
}

impl BlobClient<'_> {
    /// Fetches the file with this hash. A failed attempt is repeated, also one in which the file arrives damaged.
    ///
    /// # Errors
    /// Fails if every attempt fails: because the coordinator can't be reached, does not answer in time, or refuses or
    /// does not have the file, or because the file is too large or arrives damaged.
    pub(super) fn fetch(&self, digest: Digest) -> Result<Vec<u8>, Fault> {
        let mut pause = PAUSE;
        let mut attempt = 1;
        loop {
            let fetched = self.runtime.block_on(async {
                let fetched = timeout(PATIENCE, self.fetch_once(digest)).await;
                fetched.unwrap_or_else(|_| Err(format!("no answer within {} s", PATIENCE.as_secs())))
            });
            let reason = match fetched {
                Ok(content) if Digest::of(&content) == digest => return Ok(content.into()),
                Ok(_) => "the content does not match the hash".to_owned(),
                Err(reason) => reason,
            };
            if attempt == ATTEMPTS {
                let message =
                    format!("cannot fetch the file {digest} of {} from `{}`: {reason}", self.job, self.order.url);
                return Err(Fault::new(FaultKind::Data, message));
            }
            attempt += 1;
            self.runtime.block_on(sleep(pause));
            pause *= 2;
        }
    }

    async fn fetch_once(&self, digest: Digest) -> Result<Bytes, String> {
        let text = |error: &dyn std::error::Error| error.to_string();
        let path = format!("/v1/jobs/{}/{}/blobs/{digest}", self.job.0, self.epoch);
        let uri: Uri = self.order.url.parse().map_err(|_| format!("`{}` is not an address", self.order.url))?;
        let host = uri.host().ok_or_else(|| format!("the address `{uri}` has no host"))?.trim_matches(['[', ']']);
        let port = uri.port_u16().unwrap_or(HTTP_PORT);
        let stream = TcpStream::connect((host, port)).await.map_err(|error| text(&error))?;
        let (mut sender, connection) = handshake(TokioIo::new(stream)).await.map_err(|error| text(&error))?;
        let driver = tokio::spawn(connection);
        let request = Request::get(path)
            .header(header::HOST, uri.authority().map_or(host, |authority| authority.as_str()))
            .header(header::AUTHORIZATION, format!("Bearer {}", self.order.token))
            .body(Empty::<Bytes>::new())
            .map_err(|error| text(&error))?;
        let response = sender.send_request(request).await.map_err(|error| text(&error))?;
        let status = response.status();
        let body = Limited::new(response.into_body(), LARGEST).collect().await.map_err(|error| error.to_string())?;
        driver.abort();
        if status == StatusCode::OK { Ok(body.to_bytes()) } else { Err(format!("the coordinator answered {status}")) }
    }
}
