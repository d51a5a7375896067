//! `nimatron serve`: serves the web pages and the API.

use serde_json::json;

use crate::cli::{Context, Ending, Result, Serve, say, say_json};
use crate::submissions::PoolStart;
use crate::web::{ProblemIndex, Serving, TlsFiles, WebConfig};

/// Runs `nimatron serve` until Ctrl-C and returns how the command ended.
pub(super) fn serve(context: &Context, args: &Serve) -> Result {
    let data = args.data.clone().unwrap_or_else(|| context.state().to_owned());
    let index =
        ProblemIndex::new(context.catalog()?, context.cache().to_owned(), &args.problems, context.state().to_owned())?;
    let config = WebConfig {
        listen: args.listen,
        data,
        history: context.state().to_owned(),
        token_file: args.token_file.clone(),
        class: args.class,
        hosts: args.hosts.clone(),
        tls: args.tls_cert.clone().zip(args.tls_key.clone()).map(|(certificates, key)| TlsFiles { certificates, key }),
        insecure_network: args.insecure_network,
        person_storage: args.person_storage,
    };
    let serving = Serving::start(&config, context.service()?.clone(), index, pool_of(args, &config)?)?;
    let (url, token) = (serving.url(), serving.token().to_owned());
    if args.json {
        let mut line = json!({ "event": "serving", "url": url, "token": token });
        if let Some(link) = serving.setup_url() {
            line["setup_url"] = json!(link);
        }
        say_json(&line)?;
    } else if context.quiet() {
        say(&url)?;
    } else {
        say(&format!("serving at {url}; press Ctrl-C to stop"))?;
        if let Some(link) = serving.setup_url() {
            say(&format!("to create the first account (for a teacher), open {link}"))?;
        }
    }
    serving.run(context.cancel())?;
    Ok(Ending::Good)
}

/// Returns the pool of machines that judge the submissions; `None` if this machine judges them.
#[cfg(feature = "cluster")]
fn pool_of(args: &Serve, config: &WebConfig) -> Result<Option<PoolStart>> {
    let options = &args.cluster;
    let Some(nats) = options.nats_url.as_deref() else { return Ok(None) };
    let settings = crate::machines::ClusterSettings {
        nats: super::nats_address::nats_address(&options.nats, nats),
        database: options.database.clone(),
        data: config.data.clone(),
        listen: options.cluster_listen,
        url: options.cluster_url.clone(),
        tls: config.tls.as_ref().map(TlsFiles::acceptor).transpose()?,
        pool: options.pool.clone(),
        policy: crate::queue::DispatchPolicy { admit_any: options.admit_any, ..Default::default() },
    };
    Ok(Some(crate::machines::cluster_pool(settings)))
}

#[cfg(not(feature = "cluster"))]
fn pool_of(_: &Serve, _: &WebConfig) -> Result<Option<PoolStart>> {
    Ok(None)
}
