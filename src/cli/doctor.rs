//! `nimatron doctor`: languages found, isolation in force, what is missing and how to get it.

use comfy_table::{ContentArrangement, Table, presets};
use serde_json::json;

use nimatron::run::Found;

use super::args::Doctor;
use super::context::{Context, say};
use super::exit::{Ending, Result};

/// Looks at this machine.
pub fn doctor(context: &Context, args: &Doctor) -> Result {
    let arena = context.arena()?;
    let isolation = arena.isolation();
    let languages = arena.languages();
    if args.json {
        let rows: Vec<_> = languages.iter().map(as_json).collect();
        let level = json!({ "level": isolation.level, "missing": isolation.missing });
        say(&json!({ "isolation": level, "languages": rows, "timing": null }).to_string())?;
        return Ok(Ending::Good);
    }
    say(&format!("isolation: level {} (`nimatron guide sandbox` explains the levels)", isolation.level))?;
    for missing in &isolation.missing {
        say(&format!("  {missing}"))?;
    }
    say(&format!("cache: {}", context.cache().display()))?;
    say(&format!("jobs: {}\n", context.jobs()))?;
    say(&table(&languages, context.width()))?;
    Ok(Ending::Good)
}

fn as_json(found: &Found) -> serde_json::Value {
    json!({
        "id": found.id,
        "name": found.name,
        "found": found.version.is_ok(),
        "version": found.version.as_ref().ok(),
        "path": found.path,
        "install": found.install,
        "origin": found.origin,
        "error": found.version.as_ref().err(),
    })
}

fn table(languages: &[Found], width: usize) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(u16::try_from(width).unwrap_or(u16::MAX));
    for found in languages {
        let (mark, version, place) = match &found.version {
            Ok(version) => ("✓", version.clone(), found.path.clone().unwrap_or_default()),
            Err(reason) => ("✗", reason.clone(), found.install.clone()),
        };
        let mut row = vec![mark.to_owned(), found.id.clone(), version];
        if width >= 70 {
            row.push(place);
        }
        table.add_row(row);
    }
    table.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}
