//! `nimatron doctor`: shows the installed languages, the isolation level, and how to install missing parts.

use serde_json::json;

use crate::service::{InstalledLanguage, JudgeService, Timing};

use super::args::Doctor;
use super::context::{Context, say, say_json};
use super::exit::{Ending, Result};
use super::table::draw;

/// Prints a report on this machine.
pub(crate) fn doctor(context: &Context, args: &Doctor) -> Result {
    // Without this call, the report would show the level that was recorded at an earlier start.
    JudgeService::forget_isolation(context.cache());
    let host = context.service()?.host();
    if context.progress() {
        // The first run starts each compiler to determine its version, which takes a few seconds.
        anstream::eprintln!("detecting the installed languages …");
    }
    let isolation = host.isolation();
    let languages = host.languages().list();
    let timing = args.timing.then(Timing::measure);
    let no_counter = crate::sandbox::instruction_counter_error();
    if args.json {
        let rows: Vec<_> = languages.iter().map(as_json).collect();
        let level = json!({ "level": isolation.level, "strict": isolation.strict, "missing": isolation.missing });
        let timing = timing.map(timing_as_json);
        say_json(
            &json!({ "isolation": level, "no_instruction_counter": no_counter, "languages": rows, "timing": timing }),
        )?;
        return Ok(Ending::Good);
    }
    say(&format!("isolation: level {} (`nimatron guide sandbox` explains the levels)", isolation.name()))?;
    for missing in &isolation.missing {
        say(&format!("  {missing}"))?;
    }
    say(&format!("cache: {}", context.cache().display()))?;
    say(&format!("jobs: {}", context.jobs()))?;
    say(&match no_counter {
        Some(reason) => format!("instructions: not counted ({reason})"),
        None => "instructions: counted on demand (`--instructions`)".to_owned(),
    })?;
    if let Some(timing) = timing {
        say(&timing_line(&timing))?;
    }
    say("")?;
    say(&table(&languages, context.width()))?;
    for (found, why) in languages.iter().filter_map(|found| Some((found, found.too_old.as_ref()?))) {
        say(&format!("{}: {why}", found.name))?;
    }
    Ok(Ending::Good)
}

fn timing_as_json(timing: Timing) -> serde_json::Value {
    let ms = |span: crate::model::TimeSpan| span.as_millis_f64();
    json!({
        "rounds": timing.rounds,
        "least_ms": ms(timing.least),
        "median_ms": ms(timing.median),
        "high_ms": ms(timing.high),
        "greatest_ms": ms(timing.greatest),
        "spread_percent": (timing.spread() * 10.0).round() / 10.0,
    })
}

fn timing_line(timing: &Timing) -> String {
    let ms = |span: crate::model::TimeSpan| format!("{:.2}", span.as_millis_f64());
    let (least, median, high, greatest) = (ms(timing.least), ms(timing.median), ms(timing.high), ms(timing.greatest));
    format!(
        "timing: a fixed loop took {least} to {greatest} ms of CPU time, median {median} ms; \
         95% of the runs took at most {high} ms ({:.1}% more than the shortest)",
        timing.spread()
    )
}

fn as_json(found: &InstalledLanguage) -> serde_json::Value {
    json!({
        "id": found.id,
        "name": found.name,
        "found": found.version.is_ok(),
        "version": found.version.as_ref().ok(),
        "path": found.path,
        "too_old": found.too_old,
        "install": found.install,
        "origin": found.origin,
        "error": found.version.as_ref().err(),
    })
}

fn table(languages: &[InstalledLanguage], width: usize) -> String {
    let row = |found: &InstalledLanguage| {
        let (mark, version, place) = match &found.version {
            Ok(version) if found.too_old.is_some() => ("!", version.clone(), found.path.clone().unwrap_or_default()),
            Ok(version) => ("✓", version.clone(), found.path.clone().unwrap_or_default()),
            Err(_) => ("✗", "not found".to_owned(), found.install.clone()),
        };
        let mut row = vec![mark.to_owned(), found.id.clone(), found.name.clone(), version];
        if width >= 70 {
            row.push(place);
        }
        row
    };
    draw(Vec::new(), languages.iter().map(row).collect(), width)
}
