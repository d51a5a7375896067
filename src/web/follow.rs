//! The events of a submission or a search as server-sent events.

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

use super::error::{WebError, WebResult};
use super::feedback::redacted_event;
use super::state::{WebState, blocking};

/// Interval in which events are collected, so that many short cases cost few messages.
const COLLECT: Duration = Duration::from_millis(20);
/// Interval of comments that keep the connection open.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// Number of events that wait for a slow client. The rest stays in the store.
const BUFFER: usize = 256;

/// The stream of a response: what a task sends.
pub(super) struct EventStream(Receiver<Event>);

impl Stream for EventStream {
    type Item = Result<Event, std::convert::Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context).map(|event| event.map(Ok))
    }
}

/// What a client follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Followed {
    /// A submission; what is shown of it.
    Run(FeedbackLevel),
    Search,
    Class,
}

/// How far a client has received the events of a submission or a search.
struct Cursor {
    id: SubmissionId,
    followed: Followed,
    /// The number of the last numbered event that the client has received; `None` before the first.
    last: Option<u64>,
    /// The position in the list of live events of a submission; the version of the progress of a search.
    position: usize,
    /// The progress of a class that was sent last.
    progress: String,
    ended: bool,
}

/// The number in the header `Last-Event-ID`.
pub(super) fn last_event_id(headers: &HeaderMap) -> Option<u64> {
    headers.get("last-event-id")?.to_str().ok()?.trim().parse().ok()
}

/// One message: the number of a numbered event, and its JSON.
type Message = (Option<u64>, String);

/// Sends the events after the number `last`, in order and without gaps, up to the end of the submission or search. Progress events
/// have no number; only those of the present are sent.
///
/// # Errors
/// Fails if too many streams are open.
pub(super) fn follow(state: Arc<WebState>, id: SubmissionId, followed: Followed, last: Option<u64>) -> WebResult {
    let slot = state.streams.clone().try_acquire_owned().map_err(|_| {
        WebError::new(StatusCode::SERVICE_UNAVAILABLE, "too many streams of events are open").help("close other pages")
    })?;
    let (sender, receiver) = channel(BUFFER);
    tokio::spawn(async move {
        let _slot = slot;
        // If the store fails, the stream ends, and the client comes again.
        _ = send_all(
            &state,
            Cursor { id, followed, last, position: 0, progress: String::new(), ended: false },
            &sender,
        )
        .await;
    });
    Ok(Sse::new(EventStream(receiver))
        .keep_alive(KeepAlive::new().interval(KEEP_ALIVE).text("keep-alive"))
        .into_response())
}

async fn send_all(state: &Arc<WebState>, mut cursor: Cursor, sender: &Sender<Event>) -> WebResult<()> {
    let mut changes = state.changes.follow(&cursor.id);
    loop {
        changes.mark_unchanged();
        let (next, messages) = match cursor.followed {
            Followed::Search => cursor.read_search(&state.searches),
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
            let hides = cursor.followed == Followed::Run(FeedbackLevel::Verdicts);
            let shown = if hides { redacted_event(&json) } else { json };
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
    /// Reads what is new of a search. A search that was forgotten has ended.
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

    /// Reads what is new of a class. A class that was deleted has ended.
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

    /// Reads what is new: from the live list if it continues where the client is, and otherwise from the store.
    fn read(mut self, queue: &crate::submissions::JudgingQueue) -> WebResult<(Cursor, Vec<Message>)> {
        let live = queue.live_after(&self.id, self.position);
        if let Some(page) = live.filter(|page| !(page.ended && page.events.is_empty())) {
            let first = page.events.iter().find_map(|event| event.number);
            let next = self.last.map_or(0, |last| last.saturating_add(1));
            if first.is_none_or(|first| first <= next) {
                // A new reader is told what happens now, and not what happened before the last event of the log.
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

/// The number of events up to the last one with a number.
fn numbered_length(events: &[LiveEvent]) -> usize {
    events.iter().rposition(|event| event.number.is_some()).map_or(0, |place| place + 1)
}
