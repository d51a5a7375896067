//! Fetches files from the coordinator by their hashes.

use std::time::Duration;

use http_body_util::{BodyExt as _, Empty};
use hyper::body::{Bytes, Incoming};
use hyper::{Request, Response, StatusCode, header};
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout_at};

use crate::model::{Digest, Fault, FaultKind};
use crate::queue::JobNumber;

use super::http_client::{HttpPeer, TrustedRoots};
use super::transfer::{LARGEST_FILE, PART, PART_TIME};
use super::work_order::WorkOrder;

/// The number of attempts to fetch a file, the pause between them, and the time limit for each part of a response.
#[derive(Debug, Clone, Copy)]
pub(super) struct FetchPolicy {
    /// Maximum number of attempts to fetch a file.
    attempts: u32,
    /// The pause before the second attempt. The pause doubles before each further attempt.
    pause: Duration,
    /// The time limit for each part of a response.
    part: Duration,
}

impl Default for FetchPolicy {
    fn default() -> FetchPolicy {
        FetchPolicy { attempts: 4, pause: Duration::from_millis(250), part: PART_TIME }
    }
}

/// A client that fetches the files of one job.
pub(super) struct BlobClient<'a> {
    pub runtime: &'a Handle,
    pub order: &'a WorkOrder,
    /// The root certificates with which the certificate of the coordinator is verified.
    pub roots: &'a TrustedRoots,
    pub job: JobNumber,
    pub epoch: u64,
    /// A flag that becomes true when the job must stop.
    pub stopped: watch::Receiver<bool>,
    pub policy: FetchPolicy,
}

impl BlobClient<'_> {
    /// Fetches the file with the hash `digest`. A failed attempt is repeated, including an attempt in which the file
    /// arrives damaged.
    ///
    /// # Errors
    /// Fails if every attempt fails, because the coordinator can't be reached, does not respond in time, refuses the
    /// request or does not have the file, or because the file is too large or arrives damaged. Fails immediately if the
    /// job must stop.
    pub(super) fn fetch(&self, digest: Digest) -> Result<Vec<u8>, Fault> {
        let mut pause = self.policy.pause;
        let mut attempt = 1;
        loop {
            let reason = match self.until_stopped(self.fetch_once(digest))? {
                Ok(content) if Digest::of(&content) == digest => return Ok(content),
                Ok(_) => "the content does not match the hash".to_owned(),
                Err(reason) => reason,
            };
            if attempt >= self.policy.attempts {
                let message =
                    format!("cannot fetch the file `{digest}` for {} from `{}`: {reason}", self.job, self.order.url);
                return Err(Fault::new(FaultKind::Data, message));
            }
            attempt += 1;
            // The timer must be created within the runtime.
            self.until_stopped(async { sleep(pause).await })?;
            pause *= 2;
        }
    }

    /// Waits for `work`, unless the job must stop, and returns its value.
    ///
    /// # Errors
    /// Fails if the job must stop.
    pub(super) fn until_stopped<T>(&self, work: impl Future<Output = T>) -> Result<T, Fault> {
        let mut stopped = self.stopped.clone();
        self.runtime.block_on(async {
            tokio::select! {
                biased;
                // If the sender is dropped, this branch is disabled.
                Ok(()) = async { stopped.wait_for(|stopped| *stopped).await.map(|_| ()) } => {
                    Err(Fault::new(FaultKind::Cancelled, "the job was stopped while its files were being fetched"))
                }
                value = work => Ok(value),
            }
        })
    }

    async fn fetch_once(&self, digest: Digest) -> Result<Vec<u8>, String> {
        let seconds = self.policy.part.as_secs_f64();
        // The task that drives the connection ends when this set is dropped at the end of the attempt.
        let mut driver = JoinSet::new();
        let requested = timeout_at(self.deadline(), self.request(digest, &mut driver)).await;
        let response = requested.map_err(|_| format!("no response within {seconds} s"))??;
        if response.status() != StatusCode::OK {
            return Err(format!("the coordinator returned the status `{}`", response.status()));
        }
        let mut body = response.into_body();
        let mut content = Vec::new();
        let mut deadline = self.deadline();
        let mut goal = PART;
        while let Some(frame) = timeout_at(deadline, body.frame())
            .await
            .map_err(|_| format!("less than {} KiB of the file arrived within {seconds} s", PART >> 10))?
        {
            let frame = frame.map_err(|error| error.to_string())?;
            content.extend_from_slice(frame.data_ref().map(Bytes::as_ref).unwrap_or_default());
            if content.len() > LARGEST_FILE {
                return Err(format!("the file is larger than {} MiB", LARGEST_FILE >> 20));
            }
            if content.len() >= goal {
                goal = content.len() + PART;
                deadline = self.deadline();
            }
        }
        Ok(content)
    }

    fn deadline(&self) -> Instant {
        Instant::now() + self.policy.part
    }

    /// Requests a file, and returns the response, whose body is not read yet.
    async fn request(
        &self,
        digest: Digest,
        driver: &mut JoinSet<hyper::Result<()>>,
    ) -> Result<Response<Incoming>, String> {
        let path = format!("/v1/jobs/{}/{}/blobs/{digest}", self.job.0, self.epoch);
        let peer = HttpPeer::new(&self.order.url, self.roots)?;
        let mut sender = peer.connect(driver).await?;
        let request = Request::get(path)
            .header(header::HOST, peer.authority())
            .header(header::AUTHORIZATION, format!("Bearer {}", self.order.token))
            .body(Empty::<Bytes>::new())
            .map_err(|error| error.to_string())?;
        sender.send_request(request).await.map_err(|error| error.to_string())
    }
}

#[cfg(test)]
#[path = "blob_client_tests.rs"]
mod tests;
