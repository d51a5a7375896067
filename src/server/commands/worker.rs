//! `nimatron worker`: judges the submissions of `nimatron serve --cluster`.

use std::sync::Arc;
use std::time::Duration;

use crate::cli::{Context, Ending, Result, WorkerArgs, say};
use crate::machines::{WorkerSettings, create_user_key, drain_worker, run_cluster_worker};
use crate::model::{Diagnostic, Failure, check_cluster_name};
use crate::report::count;
use crate::sandbox::Cancel;

use super::nats_address::nats_address;

/// Runs `nimatron worker` and returns how the command ended. If `drain` is cancelled, a running worker finishes its
/// jobs and accepts no further jobs.
pub(super) fn worker(context: &Context, args: &WorkerArgs, drain: &Cancel) -> Result {
    if let Some(file) = &args.create_nkey {
        say(&create_user_key(file)?)?;
        return Ok(Ending::Good);
    }
    let connect = args.connect.as_deref().unwrap_or_default();
    let name = args.name.clone().map_or_else(name_of_machine, Ok)?;
    if args.drain {
        let report = |line: &str| _ = say(line);
        // With `--drain`, this process only waits for another worker, so the first signal cancels the wait.
        if !drain_worker(context.cache(), &name, drain, &report)? {
            say(&format!("worker {name} is still draining"))?;
            return Ok(Ending::Fault);
        }
        say(&format!("worker {name} has ended"))?;
        return Ok(Ending::Good);
    }
    let settings = WorkerSettings {
        nats: nats_address(&args.nats, connect),
        name,
        pool: args.pool.clone(),
        slots: context.jobs(),
        cache: context.cache().to_owned(),
        canary_every: Some(Duration::from_secs(args.canary)).filter(|every| !every.is_zero()),
        calibration_us: args.calibration,
    };
    let service = context.service()?;
    let slots = count(settings.slots, "program", "programs");
    say(&format!(
        "worker {} in pool {}: runs up to {} concurrently, isolation level {}; press Ctrl-C to drain the worker",
        settings.name,
        settings.pool,
        slots,
        service.isolation().level,
    ))?;
    let report = |line: &str| {
        // A closed pipe does not stop the worker.
        _ = say(line);
    };
    run_cluster_worker(service, &settings, drain, Arc::new(report))?;
    say("drained")?;
    Ok(Ending::Good)
}

/// Returns the name of the machine, with `-` in place of each `.`. Fails if this is not a valid name of a worker.
fn name_of_machine() -> std::result::Result<String, Failure> {
    let name = rustix::system::uname().nodename().to_string_lossy().replace('.', "-");
    let named = check_cluster_name(&name).map(|()| name);
    named.map_err(|error| Diagnostic::new(error.to_string()).help("specify a name with `--name`").into())
}
