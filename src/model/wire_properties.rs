//! Property tests: serialized events are deserialized to equal events.

use proptest::prelude::*;

use super::strategies::{kind, text, time};
use super::{Event, RawBytes, RunId};

fn event() -> impl Strategy<Value = Event> {
    (kind(), any::<Option<u64>>(), text(), time()).prop_map(|(kind, number, run, at)| Event {
        kind,
        number,
        run: RunId::new(run),
        at,
    })
}

proptest! {
    #[test]
    fn events_are_read_back_equal(event in event()) {
        let line = serde_json::to_string(&event).unwrap();
        prop_assert_eq!(serde_json::from_str::<Event>(&line).unwrap(), event, "{}", line);
    }

    #[test]
    fn bytes_are_read_back_equal(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        let bytes = RawBytes(bytes);
        let text = serde_json::to_string(&bytes).unwrap();
        prop_assert_eq!(serde_json::from_str::<RawBytes>(&text).unwrap(), bytes);
    }
}

#[test]
fn an_event_of_a_newer_format_is_refused() {
    let line = r#"{"event":"run_started","format":2,"problem":"a","program":"","language":"","cases":1,
        "isolation":"A","run":"1","number":0,"at_ms":0.0}"#;
    let message = serde_json::from_str::<Event>(line).unwrap_err().to_string();
    assert!(message.contains("format 2"), "{message}");
    assert!(serde_json::from_str::<Event>(&line.replace("\"format\":2", "\"format\":1")).is_ok());
}
