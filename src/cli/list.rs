//! `nimatron list`: lists the problems and shows which of them are solved.

use std::collections::{HashMap, HashSet};

use serde_json::json;

use crate::clock::now;
use crate::history::{KnownProblem, ProblemKey};
use crate::service::{ListedProblem, ProblemEntry};

use super::args::List;
use super::context::{Context, say, say_json};
use super::exit::{Ending, Result};
use super::place::shown_path;
use super::standing::{known, known_problems, latest, latest_json, mark};
use super::table::draw;

/// Maximum number of folders that are listed without `--all`.
const LATEST: usize = 20;

/// Runs `nimatron list` and returns how the command ended.
pub(crate) fn list(context: &Context, args: &List) -> Result {
    let history = known_problems(context);
    let catalog = context.catalog()?;
    let mut rows = Vec::new();
    let mut keys = HashSet::new();
    let mut ending = Ending::Good;
    for ListedProblem { id, key, entry, .. } in ListedProblem::read_all(&catalog, context.cache())? {
        match entry {
            Ok(row) if matches(&row, args.word.as_deref()) => rows.push((row, known(&history, &key, &id))),
            Ok(_) => {}
            Err(complaint) => {
                ending = Ending::Usage;
                context.complain(&complaint);
                anstream::eprintln!("note: `{id}` is omitted from the list because of this error");
            }
        }
        keys.insert(key);
    }
    let folders = folders(&history, &keys, args.word.as_deref());
    if args.json {
        rows.iter().try_for_each(|(row, known)| say_json(&as_json(row, *known)))?;
        folders.iter().try_for_each(|known| say_json(&folder_as_json(known)))?;
    } else if rows.is_empty() && folders.is_empty() {
        say("no matching problems")?;
    } else {
        if !rows.is_empty() {
            say(&table(&rows, context.width()))?;
        }
        list_folders(context, args, &folders, !rows.is_empty())?;
    }
    Ok(ending)
}

/// Returns the problems of the history that are not in `listed`, match `word` and still exist, most recent first.
fn folders<'h>(
    history: &'h HashMap<ProblemKey, KnownProblem>,
    listed: &HashSet<ProblemKey>,
    word: Option<&str>,
) -> Vec<&'h KnownProblem> {
    let word = word.map(str::to_lowercase);
    let has_word = |known: &KnownProblem| {
        let texts = [known.id.as_str(), &known.title, &known.url, known.key.as_str()];
        word.as_ref().is_none_or(|word| texts.iter().any(|text| text.to_lowercase().contains(word)))
    };
    let mut found: Vec<&KnownProblem> = history
        .values()
        .filter(|known| !listed.contains(&known.key) && has_word(known))
        .filter(|known| known.key.path().is_some_and(|path| path.exists()))
        .collect();
    found.sort_by(|a, b| (b.latest(), &a.key).cmp(&(a.latest(), &b.key)));
    found
}

/// Prints the folders with problems that were run or received, at most [`LATEST`] of them unless `--all` is given.
fn list_folders(context: &Context, args: &List, folders: &[&KnownProblem], below: bool) -> std::io::Result<()> {
    if folders.is_empty() {
        return Ok(());
    }
    let shown = if args.all { folders.len() } else { folders.len().min(LATEST) };
    let now = now();
    let cells = |known: &&KnownProblem| {
        let path = known.key.path().map(|path| shown_path(&path)).unwrap_or_default();
        let title = if known.title == known.id { String::new() } else { known.title.clone() };
        vec![mark(Some(known)).to_owned(), title, latest(Some(known), now), path]
    };
    let gap = if below { "\n" } else { "" };
    say(&format!("{gap}folders with problems that were run or received, most recent first"))?;
    say(&draw(Vec::new(), folders[..shown].iter().map(cells).collect(), context.width()))?;
    if shown < folders.len() {
        say(&format!("{} more; `nimatron list --all` shows all folders", folders.len() - shown))?;
    }
    Ok(())
}

fn matches(row: &ProblemEntry, word: Option<&str>) -> bool {
    let Some(word) = word.map(str::to_lowercase) else { return true };
    let texts = [row.id.as_str(), &row.name, row.source.as_deref().unwrap_or("")];
    texts.into_iter().chain(row.keywords.iter().map(String::as_str)).any(|text| text.to_lowercase().contains(&word))
}

fn as_json(row: &ProblemEntry, known: Option<&KnownProblem>) -> serde_json::Value {
    json!({
        "id": row.id,
        "name": row.name,
        "keywords": row.keywords,
        "limits": {
            "time_ms": row.most.as_micros() / 1_000,
            "time_auto": row.time.is_none(),
            "memory_bytes": row.memory.get(),
        },
        "solved": known.is_some_and(KnownProblem::solved),
        "last": latest_json(known),
    })
}

fn folder_as_json(known: &KnownProblem) -> serde_json::Value {
    json!({
        "id": known.id,
        "name": known.title,
        "folder": known.key.path(),
        "url": known.url,
        "solved": known.solved(),
        "last": latest_json(Some(known)),
    })
}

fn table(rows: &[(ProblemEntry, Option<&KnownProblem>)], width: usize) -> String {
    let now = now();
    let tried = rows.iter().any(|(_, known)| known.is_some_and(|known| known.standing.is_some()));
    let cells = |(row, known): &(ProblemEntry, Option<&KnownProblem>)| {
        let mut cells = vec![mark(*known).to_owned(), row.id.to_string(), row.name.clone()];
        if tried {
            cells.push(latest(*known, now));
        }
        if width >= 70 {
            cells.push(row.source.clone().unwrap_or_default());
        }
        cells
    };
    draw(Vec::new(), rows.iter().map(cells).collect(), width)
}
