//! `nimatron serve`: the page and the API.

use serde_json::json;

use nimatron::web::{ProblemIndex, Serving, WebConfig};

use super::args::Serve;
use super::context::{Context, say, say_json};
use super::exit::{Ending, Result};

/// Runs `nimatron serve` until Ctrl-C and returns how the command ended.
pub fn serve(context: &Context, args: &Serve) -> Result {
    let data = args.data.clone().unwrap_or_else(|| context.state().to_owned());
    let index =
        ProblemIndex::new(context.catalog()?, context.cache().to_owned(), &args.problems, context.state().to_owned())?;
    let config = WebConfig {
        listen: args.listen,
        data,
        history: context.state().to_owned(),
        token_file: args.token_file.clone(),
    };
    let serving = Serving::start(&config, context.service()?.clone(), index)?;
    let (url, token) = (serving.url(), serving.token().to_owned());
    if args.json {
        say_json(&json!({ "event": "serving", "url": url, "token": token }))?;
    } else if context.quiet() {
        say(&url)?;
    } else {
        say(&format!("serving at {url}; press Ctrl-C to stop"))?;
    }
    serving.run(context.cancel())?;
    Ok(Ending::Good)
}
