//! Requests for searches, and their validation.

use std::sync::Arc;

use crate::input::Description;
use crate::model::{Diagnostic, Failure, ProblemId, TimeSpan};
use crate::package::Package;
use crate::service::{JudgeService, PreparedProblem, SourceBundle};
use crate::stress::{StressOptions, StressProblem, StressRequest, Unsearchable, accepted_solution, check_searchable};
use crate::submissions::FoundProblem;

/// Name of the input description in messages.
const DESCRIPTION: &str = "input_spec";
/// Default name of the answering program in messages.
const AGAINST: &str = "against";
/// Maximum time for shrinking a failing input.
const SHRINK: TimeSpan = TimeSpan::seconds(30);

/// A request for a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSearch {
    /// The id of the person who starts the search.
    pub person: String,
    /// The id of the problem.
    pub problem: ProblemId,
    /// The file name of the program, whose extension determines the language if `language` is `None`.
    pub name: String,
    /// The id of the language.
    pub language: Option<String>,
    /// The source code of the program.
    pub source: Vec<u8>,
    /// The maximum duration in seconds, not including shrinking.
    pub seconds: u32,
    /// The name and source code of the program that computes the answers; `None` for the reference or an accepted
    /// solution of the problem.
    pub against: Option<(String, Vec<u8>)>,
    /// The one-line description of the inputs, for a problem that has no description; otherwise `None`.
    pub input_spec: Option<String>,
}

/// The reason why a search was not started.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StartSearchError {
    /// The person has a search that has not ended.
    #[error("your last search has not ended")]
    OneAtATime,
    /// Too many searches are waiting or running.
    #[error("{most} searches are already waiting or running, which is the maximum; try again later")]
    Full {
        /// Maximum number of waiting or running searches.
        most: usize,
    },
    /// The table was shut down.
    #[error("the judge is shutting down; start the search again after it has restarted")]
    ShuttingDown,
    /// The request is invalid, a search is not possible for the problem, or the judge failed.
    #[error(transparent)]
    Failed(#[from] Failure),
}

/// A search whose problem and programs have been read.
pub(super) struct ReadSearch {
    pub target: Arc<PreparedProblem>,
    pub request: StressRequest,
}

impl NewSearch {
    /// Reads the problem and the programs, and checks that a search is possible.
    ///
    /// # Errors
    /// Fails if the problem, a program or the description of the inputs can't be read, if the description is given
    /// although the problem has one, if neither a program nor an interactor provides the answers, or if there is no
    /// description of the inputs.
    pub(super) fn read(self, service: &JudgeService, found: &FoundProblem) -> Result<ReadSearch, Failure> {
        let target = service.prepare(&found.source)?;
        let languages = service.host().languages();
        let bundle = |name: &str, text: Vec<u8>| SourceBundle::of_text(name, text);
        let source =
            languages.from_bundle(&SourceBundle { language: self.language, ..bundle(&self.name, self.source) })?;
        let description = self.input_spec.as_deref().map(|text| Description::parse_one_line(DESCRIPTION, text));
        let description = description.transpose()?;
        let options = StressOptions { description, ..StressOptions::default() };
        let mut against = Vec::new();
        if let Some((name, text)) = self.against {
            let name = if name.is_empty() { AGAINST.to_owned() } else { name };
            against.push((name.clone(), languages.from_bundle(&bundle(&name, text))?));
        } else if let Some(path) = target.package().and_then(accepted_solution) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            against.push((name, languages.load(&path, None)?));
        }
        if let Some(package) = target.package()
            && StressProblem::of_package(package)?.judging.interactive()
        {
            against.clear();
        }
        if let Some(reason) = check_searchable(&target, &options, !against.is_empty())? {
            return Err(unsearchable(&self.problem, &reason).into());
        }
        if let Some(reason) = target.package().map(|package| without_inputs(package, &options)).transpose()?.flatten() {
            return Err(unsearchable(&self.problem, &reason).into());
        }
        let request = StressRequest {
            program: self.name,
            source,
            against,
            options,
            limits: (None, None),
            seconds: Some(TimeSpan::seconds(self.seconds.into())),
            count: None,
            seed: 1,
            shrink: SHRINK,
            add: false,
            slots: Some(1),
        };
        Ok(ReadSearch { target, request })
    }
}

/// Returns the reason why no inputs can be created for a package; `None` if `options` contain a description of the
/// inputs.
fn without_inputs(package: &Package, options: &StressOptions) -> Result<Option<Unsearchable>, Diagnostic> {
    let subject = StressProblem::of_package(package)?;
    Ok(if options.description.is_some() { None } else { subject.without_inputs() })
}

/// Creates the error for a problem that can't be searched. Its help addresses users of the page and of the API.
fn unsearchable(problem: &ProblemId, reason: &Unsearchable) -> Diagnostic {
    let help = match reason {
        Unsearchable::AlreadyDescribed => "remove `input_spec`".to_owned(),
        Unsearchable::NoAnswers { .. } => {
            "specify a correct program, which may be slow, with `against` in the request or `nimatron stress --against`"
                .to_owned()
        }
        Unsearchable::NoInputs { guessed } => {
            let example = guessed.as_deref().unwrap_or("n: 1..=10; a[n]: 1..=100");
            format!(
                "describe the inputs with `input_spec` in the request or `nimatron stress --input-spec '{example}'`"
            )
        }
    };
    Diagnostic::new(format!("cannot search for failing inputs of `{problem}`: {reason}")).help(help)
}
