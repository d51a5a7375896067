//! Receives problems from the browser: an HTTP server for the messages of Competitive Companion, and the folders that
//! are created from them.

mod folder_name;
mod http;
mod inbox;
mod plan;
mod receiver;

pub use folder_name::FolderPattern;
pub use http::MAX_BODY;
pub use inbox::{Inbox, InboxSettings, Received, ReceivedStatus};
pub use receiver::{Arrival, DEFAULT_PORTS, Receiver, Reply};
