//! Reads the files of individual test cases.

use std::collections::BTreeMap;

use crate::model::Diagnostic;
use crate::unzip::name;

use super::super::package_model::{InputArgs, PackageCase, PackageFormat, SkippedCase};
use super::super::tree::{PackageTree, TreeEntry, join};
use super::super::yaml_map::YamlMap;

/// The arguments that a case inherits from its groups: arguments of the submission, the input validators and the output
/// validator.
#[derive(Debug, Clone, Default)]
pub(super) struct InheritedArgs {
    pub(super) args: Vec<String>,
    pub(super) input_args: InputArgs,
    pub(super) output_args: Vec<String>,
}

impl InheritedArgs {
    /// Removes the keys that the files of groups and cases share, in the spelling of any version of the format, and
    /// replaces the arguments for which they specify values.
    pub(super) fn take(&mut self, keys: &mut YamlMap<'_>) -> Result<(), Diagnostic> {
        if let Some(args) = keys.words("args")? {
            self.args = args;
        }
        for key in ["output_validator_args", "output_validator_flags"] {
            if let Some(value) = keys.take(key) {
                self.output_args = match named_flags(keys, key, &value)? {
                    InputArgs::All(args) => args,
                    InputArgs::Each(map) => map.into_values().next().unwrap_or_default(),
                };
            }
        }
        for key in ["input_validator_args", "input_validator_flags"] {
            if let Some(value) = keys.take(key) {
                self.input_args = named_flags(keys, key, &value)?;
            }
        }
        for key in ["input_visualizer_args", "output_visualizer_args", "full_feedback"] {
            keys.take(key);
        }
        Ok(())
    }
}

/// Reads a list or string of arguments, a map from validator names to arguments, or the legacy map with `name` and
/// `flags`.
fn named_flags(keys: &YamlMap<'_>, key: &str, value: &crate::yaml::Value) -> Result<InputArgs, Diagnostic> {
    use crate::yaml::Value;
    let words = |value: &Value| -> Option<Vec<String>> {
        match super::super::yaml_map::scalar(value) {
            Some(text) => Some(text.split_whitespace().map(str::to_owned).collect()),
            None => super::super::yaml_map::strings(value),
        }
    };
    let Value::Mapping(_) = value else {
        return words(value)
            .map(InputArgs::All)
            .ok_or_else(|| keys.error(key, "expected a string or a list of strings"));
    };
    let mut map = keys.as_map(key, value.clone())?;
    let names = map.names();
    if !names.is_empty() && names.iter().all(|name| name == "name" || name == "flags") {
        let flags = map.words("flags")?.unwrap_or_default();
        return Ok(match map.string("name")? {
            Some(name) => InputArgs::Each(BTreeMap::from([(name, flags)])),
            None => InputArgs::All(flags),
        });
    }
    let each = names.into_iter().map(|name| {
        let args = map.words(&name)?.unwrap_or_default();
        Ok((name, args))
    });
    each.collect::<Result<_, Diagnostic>>().map(InputArgs::Each)
}

/// Returns whether a file or folder of this name is read. Tools for the legacy format accept every name that is not
/// hidden.
pub(super) fn is_accepted_name(format: PackageFormat, name: &str) -> bool {
    if format.is_legacy() { !name.starts_with('.') } else { name::plain(name) }
}

/// Returns the sorted names of the cases directly in a folder. A case requires an input file. Cases whose names the
/// format does not allow are added to `skipped_cases`.
pub(super) fn names(
    tree: &PackageTree,
    folder: &str,
    format: PackageFormat,
    skipped_cases: &mut Vec<SkippedCase>,
) -> Vec<String> {
    let mut found = Vec::new();
    for (file, entry) in tree.list(folder) {
        let (Some(stem), TreeEntry::File { .. }) = (file.strip_suffix(".in"), entry) else { continue };
        if is_accepted_name(format, file) {
            found.push(stem.to_owned());
        } else if !file.starts_with('.') {
            let case = join(folder.strip_prefix("data/").unwrap_or_default(), stem);
            skipped_cases.push(SkippedCase { case, why: "the package format does not allow the case name".to_owned() });
        }
    }
    found
}

/// Reads a case by its folder and name. Returns `None` if it has no input file.
///
/// # Errors
/// Fails if the `.yaml` file of the case is invalid or can't be read.
pub(super) fn read(
    tree: &PackageTree,
    folder: &str,
    stem: &str,
    format: PackageFormat,
    mut inherited: InheritedArgs,
    notes: &mut Vec<String>,
) -> Result<Option<PackageCase>, Diagnostic> {
    let path = join(folder, stem);
    let file = |ending: &str| tree.file(&format!("{path}.{ending}")).map(std::path::Path::to_owned);
    let Some(input) = file("in") else { return Ok(None) };
    let text = |ending: &str| tree.text(&format!("{path}.{ending}")).ok().flatten();
    let (mut hint, mut description) = (text("hint"), text("desc"));
    let config = format!("{path}.yaml");
    if !format.is_legacy()
        && let Some(text) = tree.text(&config)?
    {
        let origin = tree.origin(&config);
        let mut keys = YamlMap::parse(&origin, &text)?;
        inherited.take(&mut keys)?;
        hint = keys.string("hint")?.or(hint);
        description = keys.string("description")?.or(description);
        keys.finish(notes);
    }
    if let Some(args) = text("args") {
        inherited.args = args.split_whitespace().map(str::to_owned).collect();
    }
    Ok(Some(PackageCase {
        name: path.strip_prefix("data/").unwrap_or(&path).to_owned(),
        input,
        answer: file("ans"),
        output: file("out"),
        shown: [file("in.statement"), file("ans.statement")],
        interaction: file("interaction"),
        args: inherited.args,
        files: files_of(tree, &format!("{path}.files")),
        input_args: inherited.input_args,
        output_args: inherited.output_args,
        hint,
        description,
        text_args: None,
    }))
}

/// Returns a case in which the static validator judges the source code. `name` must not be the name of another
/// case.
pub(super) fn static_validation_case(name: &str, args: Vec<String>) -> PackageCase {
    PackageCase {
        name: name.to_owned(),
        input: std::path::PathBuf::from("/dev/null"),
        answer: None,
        output: None,
        shown: [None, None],
        interaction: None,
        args: Vec::new(),
        files: Vec::new(),
        input_args: InputArgs::default(),
        output_args: Vec::new(),
        hint: None,
        description: None,
        text_args: Some(args),
    }
}

/// Returns the files below `folder`, which is the folder `NAME.files` of a case, with their paths relative to `folder`.
fn files_of(tree: &PackageTree, folder: &str) -> Vec<(String, std::path::PathBuf)> {
    let below = |path: String| {
        let file = tree.file(&path)?.to_owned();
        Some((path[folder.len() + 1..].to_owned(), file))
    };
    tree.files_below(folder).into_iter().filter_map(below).collect()
}
