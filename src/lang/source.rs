//! A submitted program: a file, or a folder of files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::model::{Digest, folder_of};

use super::author_files::{TESTLIB, testlib_above};
use super::bundle::{SourceBundle, SourceOrigin};
use super::entry_file;
use super::java;
use super::kit;
use super::language::{EntryPoint, Keep, Language};
use super::program_rules::ProgramRules;
use super::source_error::{LARGEST_ANSWERS, LARGEST_AUTHOR_SOURCE, LARGEST_SOURCE, SourceError};
use super::source_files::{self, NamedFile, paths_conflict, repository_root};
use super::special_languages;
use super::table::{LanguageQuery, LanguageTable};

/// Maximum total size, in bytes, of the program's own files that are copied into its working directory. It is half
/// of the capacity of the directory.
const LARGEST_WORKING_DIR: usize = 32 << 20;
/// The byte order mark of UTF-8, with which some editors begin a file.
pub(super) const BYTE_ORDER_MARK: &[u8] = &[0xef, 0xbb, 0xbf];
/// Size of the result of [`fill`], in bytes, above which no more names are replaced.
const LARGEST_FILLED: usize = 16 << 20;

/// Languages that take precedence over all others if a folder has files in several languages, since files in other
/// languages may be auxiliary scripts. The tools of the ICPC format do the same. If two of these languages have the
/// same number of files, the first in this list is chosen.
const COUNTED: [&str; 4] = ["cpp", "c", "python", "java"];

/// Languages whose compilers are passed additional arguments.
const WITH_ARGS: [&str; 3] = ["c", "cpp", "rust"];

/// A file of a program, as it is built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// Path relative to the folder in which the program is built.
    pub name: String,
    /// Content of the file. The byte order mark of a source file is removed.
    pub content: Vec<u8>,
}

/// A submitted program.
#[derive(Debug, Clone)]
pub struct Source {
    language: Arc<Language>,
    files: Vec<SourceFile>,
    entry: usize,
    given: String,
    digest: Digest,
    kit: bool,
    /// Whether the program belongs to a package, so that its files may be copied into its working directory.
    in_package: bool,
    /// The content of the entry as submitted, if a package changed it or chose another entry.
    submitted: Option<Arc<[u8]>>,
    /// Additional compiler arguments, which follow the arguments from the row of the language.
    compiler_args: Vec<String>,
    /// The rules of the problem to which the program is submitted.
    rules: ProgramRules,
    /// Whether the program is an interactor whose dialogues can be recorded.
    pub(super) is_recordable: bool,
}

impl Source {
    /// Reads a program from a file, or from a folder with all its files except hidden ones. `language` is an id or a
    /// name. If it is `None`, the file extensions determine the language.
    ///
    /// # Errors
    /// Fails if the path or one of its files is refused, or if the language is unknown or ambiguous.
    pub fn load(table: &LanguageTable, path: &Path, language: Option<&str>) -> Result<Source, SourceError> {
        Source::from_bundle(table, SourceBundle::read(path, language)?)
    }

    /// Creates a program from files in memory.
    ///
    /// # Errors
    /// Fails under the same conditions as [`Source::load`], except for errors of the file system.
    pub fn from_bundle(table: &LanguageTable, bundle: SourceBundle) -> Result<Source, SourceError> {
        let path = PathBuf::from(&bundle.name);
        let asked =
            bundle.language.as_deref().map(|name| choose(table, &path, LanguageQuery::Named(name))).transpose()?;
        if bundle.is_folder {
            let files = bundle.files.into_iter().map(|file| (file.name, file.content.0)).collect();
            return Source::of_files(table, &path, files, asked, bundle.origin);
        }
        let mut files = bundle.files;
        let content = files.pop().ok_or_else(|| SourceError::Empty { path: path.clone(), blank: false })?.content.0;
        if content.len() as u64 > bundle.origin.most() {
            return Err(SourceError::TooLarge { path, bytes: content.len() as u64, most: bundle.origin.most() });
        }
        Source::of_file(table, &path, content, asked, bundle.origin)
    }

    /// Reads a program that belongs to a problem and may use the kit. If the program is a single C or C++ file, it
    /// includes the header files in the same folder. If it mentions the header of testlib and the folder lacks that
    /// header, it also includes the header from a folder above. A folder may contain a script `build` that creates the
    /// program `run`, or the program `run` itself. Links may point anywhere in the repository of the problem.
    ///
    /// # Errors
    /// Fails under the same conditions as [`Source::load`].
    pub fn load_author(table: &LanguageTable, path: &Path, language: Option<&str>) -> Result<Source, SourceError> {
        let bounds = repository_root(path);
        if path.is_dir()
            && language.is_none()
            && let Some(source) = Source::of_scripts(path, &bounds)?
        {
            return Ok(source);
        }
        let mut source = Source::from_bundle(table, SourceBundle::read_author(path, language, &bounds)?)?;
        if source.language.kit.is_some() && source.files.iter().any(|file| kit::is_named_in(&file.content)) {
            source = source.linked_to_kit();
        }
        let folder = folder_of(path);
        if path.is_dir() || !["c", "cpp"].contains(&source.language.id.as_str()) {
            return Ok(source);
        }
        let names = |file: &SourceFile| memchr::memmem::find(&file.content, TESTLIB.as_bytes()).is_some();
        let names_testlib = source.files.iter().any(names);
        let Source { language, mut files, given, .. } = source;
        let mut room = LARGEST_AUTHOR_SOURCE;
        let mut add = |folder: &Path, name: String| -> Result<(), SourceError> {
            let used = LARGEST_AUTHOR_SOURCE - room;
            let content = source_files::file(&folder.join(&name), room)
                .map_err(|error| source_files::as_a_whole(path, used, LARGEST_AUTHOR_SOURCE, error))?;
            room -= content.len() as u64;
            files.push(SourceFile { name, content });
            Ok(())
        };
        let headers = source_files::headers(folder, &bounds)?;
        let lacks_testlib = names_testlib && headers.iter().all(|name| name != TESTLIB);
        headers.into_iter().try_for_each(|name| add(folder, name))?;
        if let Some(above) = testlib_above(folder).filter(|_| lacks_testlib) {
            add(&above, TESTLIB.to_owned())?;
        }
        Ok(Source::new(language, files, 0, given))
    }

    /// Converts output-only answers to a program. If the argument of the program is the name of one of its files, it
    /// prints the content of the file. If the argument is missing, it prints nothing.
    ///
    /// # Errors
    /// Fails if there are no files, or if their total size is too large.
    pub fn of_answers(answers: &SourceBundle) -> Result<Source, SourceError> {
        let path = || PathBuf::from(&answers.name);
        if answers.size() > LARGEST_ANSWERS {
            return Err(SourceError::AnswersTooLarge { path: path() });
        }
        let language = special_languages::answers().filter(|_| !answers.files.is_empty());
        let language = language.ok_or_else(|| SourceError::NoAnswers { path: path() })?;
        let files =
            answers.files.iter().map(|file| SourceFile { name: file.name.clone(), content: file.content.0.clone() });
        Ok(Source::new(language, files.collect(), 0, String::new()))
    }

    /// Creates a program from the name and the content of a file in memory.
    ///
    /// # Errors
    /// Fails under the same conditions as [`Source::load`], except for errors of the file system.
    pub fn from_text(
        table: &LanguageTable,
        name: &Path,
        content: Vec<u8>,
        language: Option<&str>,
    ) -> Result<Source, SourceError> {
        if content.len() as u64 > LARGEST_SOURCE {
            let (path, bytes) = (name.to_owned(), content.len() as u64);
            return Err(SourceError::TooLarge { path, bytes, most: LARGEST_SOURCE });
        }
        let asked = language.map(|asked| choose(table, name, LanguageQuery::Named(asked))).transpose()?;
        Source::of_file(table, name, content, asked, SourceOrigin::Contestant)
    }

    fn of_file(
        table: &LanguageTable,
        path: &Path,
        content: Vec<u8>,
        asked: Option<Arc<Language>>,
        origin: SourceOrigin,
    ) -> Result<Source, SourceError> {
        let content = text(path, content)?;
        let extension = path.extension().map(|extension| extension.to_string_lossy().into_owned());
        let language = match (&extension, asked) {
            (_, Some(language)) => language,
            (Some(extension), None) => choose(table, path, LanguageQuery::Extension(extension))?,
            (None, None) => return Err(SourceError::NoExtension { path: path.to_owned() }),
        };
        refuse_blank(path, &content, &language, origin)?;
        let name = match language.entry {
            EntryPoint::Java => java::file_name(&String::from_utf8_lossy(&content)),
            EntryPoint::File | EntryPoint::Sources => None,
        };
        let name = name.unwrap_or_else(|| language.stage_name(&extension.unwrap_or_default()));
        let given = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Ok(Source::new(language, vec![SourceFile { name, content }], 0, given))
    }

    fn of_files(
        table: &LanguageTable,
        path: &Path,
        files: Vec<NamedFile>,
        asked: Option<Arc<Language>>,
        origin: SourceOrigin,
    ) -> Result<Source, SourceError> {
        let language = asked.map_or_else(|| language_of(table, path, &files, origin), Ok)?;
        let is_source = |name: &str| language.is_source(name);
        let entry =
            entry_file::choose(&language, files.iter().map(|(name, _)| name.as_str()).filter(|name| is_source(name)));
        let Some(entry) = entry.map(str::to_owned) else {
            let extensions = language.extensions.iter().chain(&language.also).map(|end| format!(".{end}")).collect();
            return Err(SourceError::NoSources { path: path.to_owned(), language: language.name.clone(), extensions });
        };
        let mut staged = Vec::with_capacity(files.len());
        for (name, content) in files {
            // A data file may have any content. Only files that a compiler reads must be text.
            let content = if is_source(&name) && (name == entry || !content.is_empty()) {
                let content = text(&path.join(&name), content)?;
                refuse_blank(&path.join(&name), &content, &language, origin)?;
                content
            } else {
                content
            };
            staged.push(SourceFile { name, content });
        }
        let entry = staged.iter().position(|file| file.name == entry).unwrap_or(0);
        Ok(Source::new(language, staged, entry, String::new()))
    }

    /// Creates a program from the library text (`warm`) in a row of the language table.
    pub(super) fn of_row(language: Arc<Language>, text: &str) -> Source {
        let name = language.stage_name("");
        Source::new(language, vec![SourceFile { name, content: text.into() }], 0, String::new())
    }

    pub(super) fn of_kit(language: Arc<Language>) -> Source {
        let file = |(name, text): (&str, &str)| SourceFile { name: name.to_owned(), content: text.into() };
        Source::new(language, kit::files().map(file).into(), 0, String::new())
    }

    /// Reads a folder with scripts that build and run the program. Returns `None` if the folder contains neither a
    /// script `build` nor a program `run`.
    fn of_scripts(path: &Path, bounds: &Path) -> Result<Option<Source>, SourceError> {
        let files = source_files::folder(path, bounds, LARGEST_AUTHOR_SOURCE)?;
        let Some((language, entry)) = special_languages::language(&files) else { return Ok(None) };
        let files = files.into_iter().map(|(name, content)| SourceFile { name, content }).collect();
        Ok(Some(Source::new(language, files, entry, String::new())))
    }

    fn linked_to_kit(mut self) -> Source {
        self.kit = true;
        self.digest = Digest::of_parts([self.digest.bytes().as_slice(), kit::digest().bytes()]);
        self
    }

    fn new(language: Arc<Language>, files: Vec<SourceFile>, entry: usize, given: String) -> Source {
        let parts = files.iter().flat_map(|file| [file.name.as_bytes(), file.content.as_slice()]);
        let digest = Digest::of_parts(std::iter::once(language.id.as_bytes()).chain(parts));
        let (kit, in_package, submitted, compiler_args) = (false, false, None, Vec::new());
        let rules = ProgramRules::default();
        Source {
            language,
            files,
            entry,
            given,
            digest,
            kit,
            in_package,
            submitted,
            compiler_args,
            rules,
            is_recordable: false,
        }
    }

    /// Returns whether the program is linked to the kit.
    pub(super) fn uses_kit(&self) -> bool {
        self.kit
    }

    /// Returns this program, which belongs to a package, with additional files. An additional file replaces files whose
    /// paths conflict with its own.
    ///
    /// In a language that finds files by name at run time, the entry keeps its original name, by which other files may
    /// refer to it, and a new file that has the name of a main file becomes the entry. If there is no such new file,
    /// the entry stays the same or, if `as_a_folder` is set, is chosen as for a folder of all files. In other
    /// languages, the entry stays the same. If a new file replaced the entry and no main file became the entry, the
    /// entry is chosen as for a folder.
    #[must_use]
    pub fn with_files(self, more: Vec<SourceFile>, as_a_folder: bool) -> Source {
        let submitted = Some(self.submitted_text().into());
        let Source { language, mut files, entry, given, kit, .. } = self;
        let interpreted = language.keep == Keep::Sources && !more.is_empty();
        let own = &mut files[entry].name;
        if interpreted && !given.is_empty() && source_files::is_plain(&given) {
            let ending = Path::new(own).extension().unwrap_or_default().to_owned();
            *own = Path::new(&given).with_extension(ending).to_string_lossy().into_owned();
        }
        let own = own.clone();
        let is_source = |file: &&SourceFile| language.is_source(&file.name);
        let driver = entry_file::driver(&language, more.iter().filter(is_source).map(|file| file.name.as_str()));
        let driver = driver.filter(|_| interpreted).map(str::to_owned);
        files.retain(|file| more.iter().all(|other| !paths_conflict(other.name.as_ref(), file.name.as_ref())));
        files.extend(more);
        // The entry is missing if its path conflicts with that of a new file.
        let lost = files.iter().all(|file| file.name != own);
        let chosen = || entry_file::choose(&language, files.iter().filter(is_source).map(|file| file.name.as_str()));
        let anew = driver.or_else(|| chosen().filter(|_| lost || interpreted && as_a_folder).map(str::to_owned));
        let entry = anew.unwrap_or_else(|| own.clone());
        // The original name applies only to the file that was the entry.
        let given = if entry == own { given } else { String::new() };
        let entry = files.iter().position(|file| file.name == entry).unwrap_or(0);
        let source = Source { in_package: true, submitted, ..Source::new(language, files, entry, given) };
        if kit { source.linked_to_kit() } else { source }
    }

    /// Returns the files that are copied into the working directory of the program, under their original names unless
    /// these conflict with other names: all files if the program belongs to a package, has several files and is small
    /// enough to be copied for every run, otherwise none.
    pub fn working_dir_files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let bytes = || self.files.iter().map(|file| file.content.len()).sum::<usize>();
        let laid = self.in_package && self.files.len() > 1 && bytes() <= LARGEST_WORKING_DIR;
        self.files.iter().filter(move |_| laid).map(|file| {
            let given = self.original_name_of(file);
            let collides =
                |other: &SourceFile| other.name != file.name && paths_conflict(other.name.as_ref(), given.as_ref());
            let taken = given != file.name && self.files.iter().any(collides);
            (if taken { &file.name } else { given }, file.content.as_slice())
        })
    }

    /// Returns this program with `prelude` inserted at the beginning of each source file.
    #[must_use]
    pub fn with_prelude(self, prelude: &str) -> Source {
        let language = self.language.clone();
        let is_source = |file: &&mut SourceFile| language.is_source(&file.name);
        self.edited(|files| {
            files.iter_mut().filter(is_source).for_each(|file| _ = file.content.splice(..0, prelude.bytes()));
        })
    }

    /// Returns this program with the macro `name` defined as 1 at the beginning of each source file. A program in a
    /// language other than C and C++ is returned unchanged.
    #[must_use]
    pub fn with_define(self, name: &str) -> Source {
        match self.language.id.as_str() {
            "c" | "cpp" => self.with_prelude(&format!("#define {name} 1\n#line 1\n")),
            _ => self,
        }
    }

    /// Returns this program with additional arguments for its compiler. A program in a language other than C, C++ and
    /// Rust is returned unchanged. Later changes to the program remove the arguments.
    #[must_use]
    pub fn with_compiler_args(mut self, args: &[String]) -> Source {
        if !args.is_empty() && WITH_ARGS.contains(&self.language.id.as_str()) {
            let parts = [self.digest.bytes().as_slice(), b"compiler arguments"];
            self.digest = Digest::of_parts(parts.into_iter().chain(args.iter().map(String::as_bytes)));
            self.compiler_args = args.to_vec();
        }
        self
    }

    /// Returns the additional arguments of the compiler.
    pub(super) fn compiler_args(&self) -> &[String] {
        &self.compiler_args
    }

    /// Returns this program as a submission to a problem with these rules. Later changes to the program remove the rules.
    #[must_use]
    pub fn with_rules(mut self, rules: ProgramRules) -> Source {
        self.rules = rules.in_language(&self.language);
        let part = self.rules.digest_part();
        if !part.is_empty() {
            self.digest = Digest::of_parts([self.digest.bytes().as_slice(), b"rules", &part]);
        }
        self
    }

    /// Returns the rules of the problem to which the program is submitted.
    pub(super) fn rules(&self) -> ProgramRules {
        self.rules
    }

    /// Replaces each `{{name}}` in the UTF-8 files of the program with the value of the constant `name`. Unknown names
    /// are kept.
    #[must_use]
    pub fn with_constants(self, constants: &BTreeMap<String, String>) -> Source {
        if constants.is_empty() {
            return self;
        }
        self.edited(|files| {
            for file in files {
                if let Ok(text) = std::str::from_utf8(&file.content) {
                    file.content = fill_constants(text, constants).into_bytes();
                }
            }
        })
    }

    /// Returns the program with its files changed by `edit`. The submitted text stays the same.
    fn edited(self, edit: impl FnOnce(&mut Vec<SourceFile>)) -> Source {
        let submitted = Some(self.submitted_text().into());
        let Source { language, mut files, entry, given, kit, in_package, .. } = self;
        edit(&mut files);
        let source = Source { in_package, submitted, ..Source::new(language, files, entry, given) };
        if kit { source.linked_to_kit() } else { source }
    }

    /// Returns the program with the file called `name` as its entry. `name` may omit the extension. The program is
    /// unchanged if it has no such file.
    #[must_use]
    pub fn with_entry(self, name: &str) -> Source {
        let stem = |file: &SourceFile| file.name.rsplit_once('.').is_some_and(|(stem, _)| stem == name);
        let Some(entry) = self.files.iter().position(|file| file.name == name || stem(file)) else { return self };
        // The original name applies to the file that was the entry.
        let given = if entry == self.entry { self.given } else { String::new() };
        let Source { in_package, submitted, .. } = self;
        let source = Source::new(self.language, self.files, entry, given);
        let mut source = Source { in_package, submitted, ..source };
        source.digest = Digest::of_parts([source.digest.bytes().as_slice(), name.as_bytes()]);
        source
    }

    /// Returns the language of the program.
    pub fn language(&self) -> &Arc<Language> {
        &self.language
    }

    /// Returns all files of the program.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// Consumes the program and returns all its files.
    pub fn into_files(self) -> Vec<SourceFile> {
        self.files
    }

    /// Returns the file at which the program begins.
    pub fn entry(&self) -> &SourceFile {
        &self.files[self.entry]
    }

    /// Returns the content of the entry as submitted, before any changes by a package.
    pub fn submitted_text(&self) -> &[u8] {
        self.submitted.as_deref().unwrap_or(&self.entry().content)
    }

    /// Returns the source files, beginning with the entry.
    pub fn sources(&self) -> impl Iterator<Item = &SourceFile> {
        let others = self.files.iter().enumerate().filter(|(index, file)| {
            *index != self.entry
                && Path::new(&file.name).extension().is_some_and(|end| self.language.takes(&end.to_string_lossy()))
        });
        std::iter::once(self.entry()).chain(others.map(|(_, file)| file))
    }

    /// Returns the original name of the single file, or `None` for a folder.
    pub fn original_name(&self) -> Option<&str> {
        (!self.given.is_empty()).then_some(self.given.as_str())
    }

    /// Returns the original name of a file of the program.
    pub fn original_name_of<'a>(&'a self, file: &'a SourceFile) -> &'a str {
        let entry = file.name == self.entry().name;
        self.original_name().filter(|_| entry).unwrap_or(&file.name)
    }

    /// Returns the hash of the language, the files and the kit. The original name of a single file is not included.
    pub fn digest(&self) -> Digest {
        self.digest
    }
}

/// Replaces each `{{name}}` in a text with the value of the constant `name`. Unknown names are kept.
pub fn fill_constants(text: &str, constants: &BTreeMap<String, String>) -> String {
    fill(text, constants, ("{{", "}}"))
}

/// Replaces each name between the marks `open` and `close` with its value, and removes the marks. Unknown names are
/// kept, and values are not expanded again. No more names are replaced once the result exceeds 16 MiB, because many
/// names with long values could exhaust the memory.
pub fn fill(text: &str, constants: &BTreeMap<String, String>, (open, close): (&str, &str)) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(open).filter(|_| !constants.is_empty() && filled.len() < LARGEST_FILLED) {
        let (before, inner) = (&rest[..at], &rest[at + open.len()..]);
        filled.push_str(before);
        let (name, after) = inner.split_at(inner.find(|c: char| "{}".contains(c)).unwrap_or(inner.len()));
        let value = after.strip_prefix(close).and_then(|after| Some((constants.get(name)?, after)));
        match value {
            Some((value, after)) => {
                filled.push_str(value);
                rest = after;
            }
            None => {
                let first = rest[at..].chars().next().map_or(1, char::len_utf8);
                filled.push_str(&rest[at..at + first]);
                rest = &rest[at + first..];
            }
        }
    }
    filled + rest
}

fn choose(table: &LanguageTable, path: &Path, choice: LanguageQuery<'_>) -> Result<Arc<Language>, SourceError> {
    table.choose(choice).cloned().map_err(|error| SourceError::Language { path: path.to_owned(), error })
}

/// Returns the language with the most files in a folder, where the languages in [`COUNTED`] take precedence. Fails if
/// no file is in a known language, or, for a contestant's program, if the files are in several languages.
fn language_of(
    table: &LanguageTable,
    path: &Path,
    files: &[NamedFile],
    origin: SourceOrigin,
) -> Result<Arc<Language>, SourceError> {
    let known = files.iter().filter_map(|(name, _)| {
        let extension = Path::new(name).extension()?.to_string_lossy().into_owned();
        table.choose(LanguageQuery::Extension(&extension)).ok()
    });
    let mut languages: Vec<(Arc<Language>, usize)> = Vec::new();
    for language in known {
        match languages.iter_mut().find(|(other, _)| other.id == language.id) {
            Some((_, count)) => *count += 1,
            None => languages.push((language.clone(), 1)),
        }
    }
    if languages.len() > 1 && origin == SourceOrigin::Contestant {
        let languages = languages.iter().map(|(language, _)| language.id.clone()).collect();
        return Err(SourceError::Ambiguous { path: path.to_owned(), languages });
    }
    let rank = |language: &Language| COUNTED.iter().position(|id| *id == language.id);
    let by_weight =
        |(language, count): &(Arc<Language>, usize)| (rank(language).is_none(), usize::MAX - count, rank(language));
    let most = languages.into_iter().min_by_key(by_weight);
    most.map(|(language, _)| language).ok_or_else(|| SourceError::NoSources {
        path: path.to_owned(),
        language: "source".to_owned(),
        extensions: table.extensions().into_iter().map(|end| format!(".{end}")).collect(),
    })
}

/// Returns the content of a text file without its byte order mark. Refuses binary files.
fn text(path: &Path, mut content: Vec<u8>) -> Result<Vec<u8>, SourceError> {
    check_is_text(path, &content)?;
    if content.starts_with(BYTE_ORDER_MARK) {
        content.drain(..BYTE_ORDER_MARK.len());
    }
    Ok(content)
}

/// Refuses a file that is empty or contains only white space, unless `origin` or `language` permits such files.
fn refuse_blank(path: &Path, text: &[u8], language: &Language, origin: SourceOrigin) -> Result<(), SourceError> {
    let accepted = match origin {
        SourceOrigin::Package => true,
        // In a scripting language the source itself is run, and an empty source is a program that prints nothing.
        SourceOrigin::Contestant => language.keep == Keep::Sources,
        SourceOrigin::Author => false,
    };
    if accepted { Ok(()) } else { check_is_not_blank(path, text) }
}

/// Refuses a file that is empty or contains only white space, apart from a byte order mark.
pub(super) fn check_is_not_blank(path: &Path, content: &[u8]) -> Result<(), SourceError> {
    let text = content.strip_prefix(BYTE_ORDER_MARK).unwrap_or(content);
    match text.trim_ascii().is_empty() {
        true => Err(SourceError::Empty { path: path.to_owned(), blank: !text.is_empty() }),
        false => Ok(()),
    }
}

/// Refuses UTF-16 text, ELF programs and files with NUL bytes.
pub(super) fn check_is_text(path: &Path, content: &[u8]) -> Result<(), SourceError> {
    let binary = |what| Err(SourceError::Binary { path: path.to_owned(), what });
    if content.starts_with(&[0xff, 0xfe]) || content.starts_with(&[0xfe, 0xff]) {
        return binary("begins with the byte order mark of UTF-16; save it as UTF-8");
    }
    if content.starts_with(b"\x7fELF") {
        return binary("is a compiled program; submit its source");
    }
    if content.contains(&0) {
        return binary("contains NUL bytes, so it is not a text file");
    }
    Ok(())
}

#[cfg(test)]
mod tests;
