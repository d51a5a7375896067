//! Streams the events of a submission, search or class as server-sent events.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_core::Stream;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::classes::ClassTable;
use crate::people::FeedbackLevel;
use crate::searches::SearchTable;
use crate::submissions::{LiveEvent, SubmissionId};

use super::actor::Actor;
use super::error::{WebError, WebResult};
use super::feedback::{redacted_event, without_reasons};
use super::guard::{Visit, is_still_known};
use super::state::{WebState, blocking};
use super::stream_slots::{MOST_OF_PERSON, NoStreamSlot};

/// Minimum interval between reads of new events, so that many short cases cause few reads.
const COLLECT: Duration = Duration::from_millis(20);
/// Interval of the comments that keep the connection open.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// Maximum number of events buffered for a slow client. Later events are read from the store when there is space.
const BUFFER: usize = 256;
/// Interval at which an open stream checks whether its session is still valid.
const SESSION_CHECK: Duration = Duration::from_secs(2);

/// A stream of the events that a background task sends through a channel.
pub(super) struct EventStream(Receiver<Event>);

impl Stream for EventStream {
    type Item = Result<Event, std::convert::Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context).map(|event| event.map(Ok))
    }
}

/// Source of the events that a client follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Followed {
    /// A submission, with the feedback that the client may see.
    Run(FeedbackLevel),
    /// A search. `explains` states whether the client may see why the positions of a game are won or lost.
    Search {
        explains: bool,
    },
    Class,
}

/// Position of a client in the events of a submission, search or class.
struct Cursor {
    id: SubmissionId,
    followed: Followed,
    /// Number of the last numbered event that the client has received; `None` before the first.
    last: Option<u64>,
    /// Position in the live events of a submission, or version of the progress of a search.
    position: usize,
    /// The last progress event of a class that was sent, as JSON.
    progress: String,
    ended: bool,
}

/// Parses the header `Last-Event-ID`. Returns `None` if it is missing or not a number.
pub(super) fn last_event_id(headers: &HeaderMap) -> Option<u64> {
    headers.get("last-event-id")?.to_str().ok()?.trim().parse().ok()
}

/// A message to the client: the number of the event, if it has one, and the event as JSON.
type Message = (Option<u64>, String);

/// Streams the numbered events after `last`, in order and without gaps, until the submission or search ends, the class
/// is deleted, or the session or token of the request becomes invalid. Progress events have no number; outdated
/// progress events are skipped.
///
/// # Errors
/// Fails if too many event streams are open.
pub(super) fn follow(
    state: Arc<WebState>,
    visit: Visit,
    (id, followed): (SubmissionId, Followed),
    last: Option<u64>,
) -> WebResult {
    let slot = state.streams.take(visit.actor.as_ref().map_or("", Actor::person)).map_err(|reason| match reason {
        NoStreamSlot::All => {
            let message = "the server has no free event streams";
            WebError::new(StatusCode::SERVICE_UNAVAILABLE, message)
                .help("close other pages of this server, or try again later")
        }
        NoStreamSlot::OfPerson => {
            let message = format!("you already have {MOST_OF_PERSON} event streams open");
            WebError::new(StatusCode::TOO_MANY_REQUESTS, message).help("close other pages of this server")
        }
    })?;
    let (sender, receiver) = channel(BUFFER);
    tokio::spawn(async move {
        let _slot = slot;
        let cursor = Cursor { id, followed, last, position: 0, progress: String::new(), ended: false };
        // If the store fails, the stream ends, and the client reconnects.
        tokio::select! {
            _ = send_all(&state, cursor, &sender) => {}
            () = session_end(&state, &visit) => {}
        }
    });
    Ok(Sse::new(EventStream(receiver))
        .keep_alive(KeepAlive::new().interval(KEEP_ALIVE).text("keep-alive"))
        .into_response())
}

/// Waits until the session or token of a request is no longer valid.
async fn session_end(state: &Arc<WebState>, visit: &Visit) {
    loop {
        tokio::time::sleep(SESSION_CHECK).await;
        if !is_still_known(state, visit).await.unwrap_or(false) {
            return;
        }
    }
}

async fn send_all(state: &Arc<WebState>, mut cursor: Cursor, sender: &Sender<Event>) -> WebResult<()> {
    let mut changes = state.changes.follow(&cursor.id);
    loop {
        changes.mark_unchanged();
        let (next, messages) = match cursor.followed {
            Followed::Search { .. } => cursor.read_search(&state.searches),
            Followed::Class => {
                let classes = state.classes.clone();
                blocking(move || cursor.read_class(&classes)).await?
            }
            Followed::Run(_) => {
                let queue = state.queue.clone();
                blocking(move || cursor.read(&queue)).await?
            }
        };
        cursor = next;
        let nothing_new = messages.is_empty();
        for (number, json) in messages {
            let shown = match cursor.followed {
                Followed::Run(FeedbackLevel::Verdicts) => redacted_event(&json),
                Followed::Search { explains: false } => without_reasons(&json),
                _ => json,
            };
            let mut event = Event::default().data(shown);
            if let Some(number) = number {
                event = event.id(number.to_string());
            }
            if sender.send(event).await.is_err() {
                return Ok(());
            }
        }
        if cursor.ended {
            return Ok(());
        }
        if nothing_new {
            tokio::select! {
                changed = changes.changed() => if changed.is_err() { return Ok(()) },
                () = sender.closed() => return Ok(()),
            }
        }
        tokio::time::sleep(COLLECT).await;
    }
}

impl Cursor {
    /// Reads the new events of a search. A search that is no longer stored has ended.
    fn read_search(mut self, searches: &SearchTable) -> (Cursor, Vec<Message>) {
        let Some(page) = searches.events_after(&self.id, self.last, self.position as u64) else {
            return (Cursor { ended: true, ..self }, Vec::new());
        };
        let mut messages: Vec<Message> =
            page.events.into_iter().map(|(number, json)| (Some(number), json.to_string())).collect();
        self.last = messages.last().and_then(|(number, _)| *number).or(self.last);
        self.ended = page.ended;
        if let Some((version, json)) = page.progress {
            self.position = usize::try_from(version).unwrap_or(usize::MAX);
            messages.push((None, json.to_string()));
        }
        (self, messages)
    }

    /// Reads the new events of a class. The stream ends when the class is deleted.
    fn read_class(mut self, classes: &ClassTable) -> WebResult<(Cursor, Vec<Message>)> {
        let Some(class) = classes.find(self.id.as_str()) else {
            return Ok((Cursor { ended: true, ..self }, Vec::new()));
        };
        let events = class.events_after(self.last)?;
        let mut messages: Vec<Message> = events.into_iter().map(|(number, json)| (Some(number), json)).collect();
        self.last = messages.last().and_then(|(number, _)| *number).or(self.last);
        let mut progress = serde_json::to_value(class.progress()).unwrap_or_default();
        progress["event"] = "progress".into();
        let progress = progress.to_string();
        if progress != self.progress {
            messages.push((None, progress.clone()));
            self.progress = progress;
        }
        Ok((self, messages))
    }

    /// Reads the new events of a submission from its live events. Reads them from the store instead if there are no
    /// live events, if they have ended and the client has received all of them, or if the client has not received all
    /// events that precede the live events.
    fn read(mut self, queue: &crate::submissions::JudgingQueue) -> WebResult<(Cursor, Vec<Message>)> {
        let live = queue.live_after(&self.id, self.position);
        if let Some(page) = live.filter(|page| !(page.ended && page.events.is_empty())) {
            let first = page.events.iter().find_map(|event| event.number);
            let next = self.last.map_or(0, |last| last.saturating_add(1));
            if first.is_none_or(|first| first <= next) {
                // A new client does not receive progress events that are older than the last numbered event.
                let past = if self.position == 0 { numbered_length(&page.events) } else { 0 };
                self.position = page.next;
                let fresh = page.events.into_iter().enumerate().filter_map(|(place, event)| {
                    event.number.map_or(place >= past, |number| number >= next).then_some(event)
                });
                let messages: Vec<Message> = fresh.map(|event| (event.number, event.json.to_string())).collect();
                self.last = messages.iter().filter_map(|(number, _)| *number).next_back().or(self.last);
                return Ok((self, messages));
            }
        }
        let page = queue.events_after(&self.id, self.last)?;
        let messages: Vec<Message> = page.events.into_iter().map(|event| (Some(event.number), event.json)).collect();
        self.last = messages.last().and_then(|(number, _)| *number).or(self.last);
        self.ended = page.ended;
        Ok((self, messages))
    }
}

/// Returns the number of events up to and including the last numbered one.
fn numbered_length(events: &[LiveEvent]) -> usize {
    events.iter().rposition(|event| event.number.is_some()).map_or(0, |place| place + 1)
}
