//! Signature graders: programs of the package that call functions defined by submissions in C and C++.

use crate::model::Failure;

use super::super::package_model::Package;
use super::super::yaml_map::YamlMap;
use super::cases::read_bool;
use super::files::{DmojFiles, PLAIN_NAME, contents};

/// The languages of submissions. Each string is both the id in the language table and the extension of source files.
const LANGUAGES: [&str; 2] = ["c", "cpp"];
/// Text inserted before the source files of the grader and of submissions. Its effect is that of DMOJ's compiler
/// option `-DSIGNATURE_GRADER`.
const DEFINED: &str = "#define SIGNATURE_GRADER 1\n";

/// Adds the grader that `signature_grader` specifies. Submissions are linked with its program and include its header,
/// and their function `main` is renamed unless `allow_main` is set.
///
/// # Errors
/// Fails if the map is invalid, if a file is missing, too large or can't be read, or if the cache can't be written.
pub(super) fn add_grader(
    package: &mut Package,
    mut map: YamlMap<'_>,
    files: &DmojFiles<'_>,
    notes: &mut Vec<String>,
) -> Result<(), Failure> {
    let mut take = |key: &str| -> Result<(String, Vec<u8>), Failure> {
        let name = map.string(key)?.ok_or_else(|| map.error(key, "the key is missing"))?;
        let path = files.find(&name).ok_or_else(|| map.error(key, format!("the file `{name}` does not exist")))?;
        let found = contents(&[(name, path.to_owned())])?.pop();
        found.ok_or_else(|| map.error(key, "expected the name of a file").into())
    };
    let ((_, entry), (header, declared)) = (take("entry")?, take("header")?);
    if !crate::unzip::name::plain(&header) {
        return Err(map.error("header", format!("{PLAIN_NAME}, found `{header}`")).into());
    }
    let main = match read_bool(&mut map, "allow_main")? {
        Some(true) => "",
        _ => "#define main main_of_the_submission\n",
    };
    map.finish(notes);
    for language in LANGUAGES {
        let (name, text) =
            (format!("signature_grader.{language}"), [DEFINED.as_bytes(), b"#line 1\n", &entry].concat());
        let place = files.write_program(&[(name.clone(), text), (header.clone(), declared.clone())])?;
        let added = [name, header.clone()].map(|name| (name.clone(), place.join(name)));
        package.include.entry(language.to_owned()).or_default().extend(added);
        let prelude = format!("{DEFINED}#include \"{header}\"\n{main}#line 1\n");
        package.prelude.insert(language.to_owned(), prelude);
    }
    package.languages = LANGUAGES.map(str::to_owned).to_vec();
    Ok(())
}
