//! `nimatron guide`: shows the guides offline.

use include_dir::{Dir, include_dir};

use nimatron::model::Diagnostic;
use nimatron::report::markdown;
use nimatron::yaml::nearest;

use super::args::Guide;
use super::context::{Context, say, say_drawn};
use super::exit::{Ending, Result};

static GUIDES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/src/guide");

/// Prints a guide, or the list of guides if no topic is given.
pub fn guide(context: &Context, args: &Guide) -> Result {
    match &args.topic {
        None => {
            for (topic, text) in topics() {
                say(&format!("{topic:<12} {}", text.lines().next().unwrap_or("").trim_start_matches("# ")))?;
            }
        }
        Some(topic) => say_drawn(markdown::render(find(topic)?, context.width().min(100), context.color()).trim_end())?,
    }
    Ok(Ending::Good)
}

/// Returns the topics with their texts, sorted by name.
fn topics() -> Vec<(&'static str, &'static str)> {
    let mut topics: Vec<_> = GUIDES
        .files()
        .filter_map(|file| Some((file.path().to_str()?.strip_suffix(".md")?, file.contents_utf8()?)))
        .collect();
    topics.sort_unstable();
    topics
}

fn find(topic: &str) -> std::result::Result<&'static str, Diagnostic> {
    let topics = topics();
    if let Some((_, text)) = topics.iter().find(|(name, _)| *name == topic) {
        return Ok(text);
    }
    let names: Vec<&str> = topics.iter().map(|(name, _)| *name).collect();
    let diagnostic = Diagnostic::new(format!("unknown guide `{topic}`"));
    Err(match nearest(topic, names.iter().copied()) {
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
        None => diagnostic.help(format!("available guides: {}", names.join(", "))),
    })
}
