//! Describes, in one line, the assumptions about a problem whose description is incomplete.

use crate::model::Limits;
use crate::package::PackageFormat;

use super::options::JudgeOptions;
use super::prepared::PreparedProblem;

impl PreparedProblem {
    /// Returns a description of the assumptions about the problem, and of how programs are judged with `options` and
    /// `limits`; `None` if nothing was assumed.
    pub fn assumptions(&self, options: &JudgeOptions, limits: &Limits) -> Option<String> {
        let package = self.package()?;
        let guess = package.guess.as_ref()?;
        if package.format != PackageFormat::Folder {
            return Some(format!("{} ({guess})", package.format.name()));
        }
        let checked = match (options.inputs.first(), &options.interactor, &options.checker) {
            (Some(input), None, _) if input.answered_by.is_none() => "the output is not compared".to_owned(),
            (_, Some(interactor), None) => format!("interactor {}", interactor.describe()),
            (_, Some(interactor), Some(checker)) => {
                format!("interactor {}, checker {}", interactor.describe(), checker.describe())
            }
            (_, None, Some(checker)) => format!("checker {}", checker.describe()),
            (_, None, None) => "checker tokens".to_owned(),
        };
        let by_default = match (package.default_limits, options.time, options.memory) {
            (false, ..) | (true, Some(_), Some(_)) => "",
            (true, None, None) => " (default limits)",
            (true, None, Some(_)) => " (default time limit)",
            (true, Some(_), None) => " (default memory limit)",
        };
        let how = format!("{checked}; {}, {}{by_default}", limits.cpu, limits.memory);
        // For the user's own input, the tests are irrelevant unless they determine the limits.
        let by_tests = options.inputs.is_empty() || !package.default_limits;
        Some(if by_tests { format!("{guess}; {how}") } else { how })
    }
}
