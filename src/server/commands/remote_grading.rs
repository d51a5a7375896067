//! `nimatron grade --cluster`: judges the programs of a class on a server.

use crate::cli::{Context, GradeCluster, Result};
use crate::grade::class::ProgramJudge;
use crate::machines::{RemoteJudge, ServeAddress};
use crate::model::Failure;

/// Returns a judge that sends the programs to the server at `url`.
pub(super) fn remote_judge(context: &Context, url: &str, options: &GradeCluster) -> Result<Box<dyn ProgramJudge>> {
    let token = match &options.token_file {
        Some(path) => fs_err::read_to_string(path).map_err(|error| Failure::user_file(&error))?,
        None => std::env::var("NIMATRON_TOKEN").unwrap_or_default(),
    };
    let (token, ca) = (token.trim().to_owned(), options.cluster_ca.clone());
    let address = ServeAddress { url: url.to_owned(), token, ca };
    Ok(Box::new(RemoteJudge::new(&address, context.cancel())?))
}
