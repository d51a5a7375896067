//! Generates the inputs of a package in which one program writes all inputs to its working directory.

use std::path::{Path, PathBuf};

use crate::lang::Source;
use crate::model::{ByteSize, Diagnostic, Digest, Failure};
use crate::package::{InputMaker, Package};
use crate::sandbox::{CellCommand, CellSpec, Input};

use super::case_runner::working_files;
use super::command::{AUTHOR_LIMITS, cell_spec, command};
use super::data_programs::run_to_end;
use super::host::Host;

/// Capacity of the working directory of the program that generates the inputs.
const ROOM: ByteSize = ByteSize::mib(1_024);

/// The files that a program generated, as stored in the cache: their names and the digests of their contents.
type MadeFiles = Vec<(String, String)>;

/// Runs the program that generates the inputs of a package, if there is one, and adds a case for each input. Inputs
/// that the same program generated before are taken from the cache. If the program must be run, calls `progress` with
/// 0 and 1 before and with 1 and 1 after the run.
///
/// # Errors
/// Fails if the package has no other inputs and the program does not compile or fails, if the inputs do not match the
/// description of the package, or if the judge itself fails.
pub(super) fn make_inputs(host: &Host, package: &mut Package, progress: &dyn Fn(usize, usize)) -> Result<(), Failure> {
    let Some(maker) = package.input_maker.take() else { return Ok(()) };
    let name = maker.program.strip_prefix(&package.root).unwrap_or(&maker.program).display().to_string();
    match run_input_maker(host, &maker, &name, progress) {
        Ok(files) => package.add_made_inputs(&maker, &files).map_err(Failure::from),
        Err(Failure::Complaint(complaint)) if !package.cases.is_empty() => {
            let first = complaint.to_string().lines().next().unwrap_or_default().to_owned();
            package
                .notes
                .push(format!("cannot generate more inputs, so only the inputs in the package are used: {first}"));
            Ok(())
        }
        Err(failure) => Err(failure),
    }
}

/// Returns the files that the program wrote, as names and paths in the cache.
fn run_input_maker(
    host: &Host,
    maker: &InputMaker,
    name: &str,
    progress: &dyn Fn(usize, usize),
) -> Result<Vec<(String, PathBuf)>, Failure> {
    let (source, compiler) = match &maker.script {
        Some(script) => {
            let source = host.languages().from_text(Path::new("ingen.sh"), script_runner(script).into())?;
            (source, digest_if_installed(host, "cpp")?)
        }
        None => (host.languages().load_author(&maker.program, None)?.with_define("_INGEN"), None),
    };
    let files = working_files(&maker.files)?;
    let toolchain = host.languages().toolchain_digest(&source)?;
    let parts = files.iter().flat_map(|(name, content)| [name.as_encoded_bytes(), content]);
    let own = source.digest();
    let key = [b"made inputs".as_slice(), own.bytes(), toolchain.bytes()];
    let compiler = compiler.iter().map(|digest| digest.bytes().as_slice());
    let key = Digest::of_parts(key.into_iter().chain(compiler).chain(parts)).to_string();
    let list = host.cache().package_output(&key);
    let known = fs_err::read(&list).ok().and_then(|text| serde_json::from_slice::<MadeFiles>(&text).ok());
    let place = |(name, digest): (String, String)| (name, host.cache().package_output(&digest));
    let known = known.map(|files| files.into_iter().map(place).collect::<Vec<_>>());
    if let Some(files) = known.filter(|files| files.iter().all(|(_, path)| path.is_file())) {
        return Ok(files);
    }
    progress(0, 1);
    let made = run(host, &source, files, name);
    progress(1, 1);
    let (mut kept, mut paths) = (MadeFiles::new(), Vec::new());
    for (name, content) in made? {
        let digest = Digest::of_parts([b"made input".as_slice(), &content]).to_string();
        let path = host.cache().package_output(&digest);
        crate::data::write_whole(&path, &content).map_err(|error| Failure::unwritable(&path, &error))?;
        kept.push((name.clone(), digest));
        paths.push((name, path));
    }
    let text = serde_json::to_vec(&kept).map_err(|error| Failure::unwritable(&list, &error.into()))?;
    crate::data::write_whole(&list, &text).map_err(|error| Failure::unwritable(&list, &error))?;
    Ok(paths)
}

/// Returns a Bash program that runs the package's shell script `script`. A symbolic link makes the working directory
/// appear as the package's folder `in`.
fn script_runner(script: &str) -> String {
    let folder = InputMaker::SCRIPT_FOLDER;
    format!("ln -s \"$PWD\" '{folder}/in'\nexec \"$BASH\" \"$PWD/{script}\"\n")
}

/// Returns the digest of a language's compiler, which a script may use; `None` if the compiler is not installed.
fn digest_if_installed(host: &Host, language: &str) -> Result<Option<Digest>, Failure> {
    match host.languages().digest_of(language) {
        Err(Failure::Complaint(_)) => Ok(None),
        digest => digest,
    }
}

/// Runs the program, and returns the files in its working directory that are new or changed.
fn run(
    host: &Host,
    source: &Source,
    before: Vec<(std::ffi::OsString, Vec<u8>)>,
    name: &str,
) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let program = host.languages().build_own(source, name)?;
    let mut cell = host.sandbox().open(&CellSpec { scratch: ROOM, ..cell_spec(&program, 0) })?;
    let start = command(&program, AUTHOR_LIMITS, cell.private_dir(), Input::Empty, &[]);
    let start = CellCommand { files: before.clone(), take_files: true, ..start };
    let after = run_to_end(cell.as_mut(), &program, start, name)?.files;
    let changed = after.into_iter().filter(|file| !before.contains(file));
    let changed: Vec<(String, Vec<u8>)> =
        changed.filter_map(|(name, content)| Some((name.into_string().ok()?, content))).collect();
    if changed.is_empty() {
        let help = "the program must write the inputs to its working directory, under names such as `abc1a.in`";
        return Err(Diagnostic::new(format!("{name} wrote no file")).help(help).into());
    }
    Ok(changed)
}
