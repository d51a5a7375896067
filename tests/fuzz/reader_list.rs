//! The readers of bytes that strangers wrote, as functions of the bytes. A reader panics if it finds a fault.
//!
//! The fuzz target calls them with inputs that libFuzzer makes, and `tests/server/fuzz_corpus.rs` with the inputs in
//! `corpus/`.

#![expect(clippy::expect_used, reason = "a reader panics if it finds a fault")]

use std::ffi::OsString;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use fs_err as fs;
use nimatron::catalog::Catalog;
use nimatron::checktestdata;
use nimatron::grade::intake::{self, IntakeContext};
use nimatron::grade::overlay::{extensions, overlay};
use nimatron::grade::policy::Policy;
use nimatron::grade::record::Record;
use nimatron::grade::roster::{self, Listed, Manifest, Named, Pattern};
use nimatron::grade::similarity::{TokenizedProgram, compare_pair};
use nimatron::judge::{max_points, parse_grade, parse_result, parse_validation};
use nimatron::lang::{LanguageTable, TableLayer};
use nimatron::model::{ByteSize, Capture, Diagnostic, Digest, Event, Execution, Exit, ProblemId, Usage};
use nimatron::mutants::{MutantLanguage, mutants};
use nimatron::package::{self, latex};
use nimatron::problem::{self, AuxProgram, Protocol};
use nimatron::report::{markdown, render_diagnostic};
use nimatron::sandbox::{Cancel, ForkServer, IsolationRequirement};
use nimatron::service::{JudgeRequest, JudgeService, RunReport, ServiceConfig};
use nimatron::unzip::{Charset, name};
use nimatron_server::submissions::ProgramOrder;
use nimatron_server::web::{ProblemIndex, Serving, WebConfig};

/// A reader of bytes from strangers.
pub(super) type Reader = fn(&[u8]);

/// All readers, sorted by name.
pub(super) const READERS: [(&str, Reader); 12] = [
    ("archive", archive),
    ("checker", checker),
    ("checktestdata", ctd),
    ("event", event),
    ("http", http),
    ("input", input),
    ("package", packages),
    ("problem", problem_spec),
    ("program", program),
    ("roster", names),
    ("statement", statement),
    ("table", table),
];

/// Returns the reader with this name.
pub(super) fn find(name: &str) -> Option<Reader> {
    READERS.iter().find(|(known, _)| *known == name).map(|(_, reader)| *reader)
}

/// A `problem.yaml`.
fn problem_spec(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let _ = show(problem::read("problem.yaml", text, id(), Path::new("/nonexistent")));
}

/// An input description in YAML, a line `---`, and an input.
fn input(data: &[u8]) {
    let (spec, bytes) = halves(data);
    let Ok(text) = str::from_utf8(spec) else { return };
    let Ok(description) = problem::read_description("problem.yaml", text) else { return };
    let valid = description.validate(bytes, None);
    let instance = description.read(bytes, None);
    assert_eq!(valid.is_ok(), instance.is_ok(), "the validator and the reader agree");
    if let Ok(instance) = instance {
        let written = instance.to_bytes(&description);
        let again = description.read(&written, None).expect("a written input is valid");
        assert_eq!(again.to_bytes(&description), written, "a written input does not change");
    }
}

/// A package of any format, as the files of a folder: a line `=== PATH` stands before the content of each.
fn packages(data: &[u8]) {
    let folder = folder();
    let root = folder.path().join("package");
    write_files(data, &root);
    if let Ok(package) = package::open(&root, &folder.path().join("cache")) {
        let _ = (package.title(), package.custom_grader(), max_points(&package.grading));
    }
}

/// A zip of a package or of submissions.
fn archive(data: &[u8]) {
    let folder = folder();
    let file = folder.path().join("upload.zip");
    fs::write(&file, data).expect("the temporary folder is writable");
    let _ = package::open(&file, &folder.path().join("cache"));
    let mut context = IntakeContext {
        keep: &mut |bytes| Ok(Digest::of(bytes)),
        knows: &|path| path.extension().is_some(),
        guess: &|_| None,
        except: None,
        git: None,
    };
    if let Ok(intake) = intake::read(&file, &mut context) {
        read_roster(&intake.files);
    }
}

/// A grammar of checktestdata, a line `---`, and an input.
fn ctd(data: &[u8]) {
    let (grammar, bytes) = halves(data);
    let Ok(text) = str::from_utf8(grammar) else { return };
    if let Ok(grammar) = checktestdata::CtdGrammar::parse("input_format_validators/main.ctd", text) {
        let _ = checktestdata::check(&grammar, bytes);
    }
}

/// The results of a checker, a validator or a grader: two bytes for the protocol and the exit code, then standard
/// error, a line `---`, and standard output, which is also the content of the feedback files.
fn checker(data: &[u8]) {
    let [protocol, code, rest @ ..] = data else { return };
    let protocols = [
        Protocol::Icpc,
        Protocol::Testlib,
        Protocol::Plain,
        Protocol::Dmoj,
        Protocol::Coci,
        Protocol::Peg,
        Protocol::Sinol,
    ];
    let protocol = protocols[usize::from(*protocol) % protocols.len()];
    let (stderr, stdout) = halves(rest);
    let execution = Execution {
        exit: Exit::Code(i32::from(*code)),
        breach: None,
        usage: Usage::default(),
        stderr: Capture::new(stderr, 4_096, stderr.len() as u64),
    };
    let files = ["judgemessage.txt", "teammessage.txt", "score.txt", "score_multiplier.txt", "nextpass.in"];
    let feedback = files.map(|name| (OsString::from(name), stdout.to_vec())).to_vec();
    let program = AuxProgram::new("checker.cpp", protocol);
    let _ = parse_result("the checker", &program, &execution, &program.limits, (stdout, &feedback));
    let _ = parse_validation(protocol, &execution, &program.limits);
    let _ = parse_grade("the grader", &execution, &program.limits, stdout);
}

/// Paths in a download, one per line; after a line `---`, the list of a manifest.
fn names(data: &[u8]) {
    let (paths, list) = halves(data);
    let charset = Charset::of(paths.split(|byte| *byte == b'\n'));
    let mut files = Vec::new();
    for line in paths.split(|byte| *byte == b'\n') {
        let text = charset.map_or_else(|| name::shown(line), |charset| charset.decode(line));
        if name::parts(line).is_ok() {
            files.push(Listed {
                source: Path::new(&text).extension().is_some(),
                path: roster::composed(&text),
                modified: None,
                guessed: None,
                content: Ok(Digest::of(line)),
            });
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files.dedup_by(|a, b| a.path == b.path);
    read_roster(&files);
    if let Ok(text) = str::from_utf8(list)
        && let Some(manifest) = show(Manifest::parse("list.csv", text, &named()))
    {
        roster::resolve(&manifest, &files);
    }
}

/// The events, reports and requests that other programs send, as JSON.
fn event(data: &[u8]) {
    round_trip::<Event>(data);
    round_trip::<RunReport>(data);
    round_trip::<JudgeRequest>(data);
    round_trip::<ProgramOrder>(data);
    round_trip::<Record>(data);
}

/// The files of a teacher: the marking scheme, and corrections of marks, after a line `---`.
fn table(data: &[u8]) {
    let (policy, marks) = halves(data);
    let problems = [id()];
    if let Ok(text) = str::from_utf8(policy) {
        let scheme = show(Policy::parse("policy.yaml", text, &problems));
        if let (Some(scheme), Ok(marks)) = (scheme, str::from_utf8(marks)) {
            let _ = show(overlay("marks.csv", marks, &problems, &scheme));
        }
        let _ = show(LanguageTable::from_layers(&[TableLayer { origin: "languages.yaml".into(), text: text.into() }]));
        let _ = text.parse::<Pattern>();
    }
    if let Ok(text) = str::from_utf8(marks) {
        let _ = show(extensions("extensions.csv", text, &problems));
    }
}

/// A statement in Markdown or LaTeX.
fn statement(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let converted = latex::to_markdown(text);
    for text in [text, &converted] {
        markdown::render(text, 80, false);
        markdown::render(text, 20, true);
    }
    markdown::formula(text);
}

/// The source of a program, which is compared with itself, highlighted and mutated.
fn program(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let names = ["a.cpp", "a.py", "a.java", "a.rs", "a.js", "a.go"];
    let programs = names.map(|name| TokenizedProgram::new([(name, data)]));
    compare_pair(&programs[0], &programs[1], &|_| false);
    for language in
        ["cpp", "python3", "java", "rust", "javascript", "go"].iter().filter_map(|id| MutantLanguage::of(id))
    {
        let _ = mutants(text, language);
    }
}

/// An HTTP request: a line with method and path, header lines, an empty line, and the body.
fn http(data: &[u8]) {
    static SERVER: LazyLock<(SocketAddr, String)> = LazyLock::new(start_server);
    let (address, token) = &*SERVER;
    let (head, body) =
        data.windows(2).position(|two| two == b"\n\n").map_or((data, &b""[..]), |at| (&data[..at], &data[at + 2..]));
    let mut request = head.split(|byte| *byte == b'\n').flat_map(|line| [line, b"\r\n"].concat()).collect::<Vec<u8>>();
    let rest = format!(
        "Host: {address}\r\nx-nimatron-token: {token}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    request.extend_from_slice(rest.as_bytes());
    request.extend_from_slice(body);
    let mut stream = TcpStream::connect(address).expect("the server accepts connections");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("the timeout is valid");
    // The server may close the connection before it has read the whole request.
    let _ = stream.write_all(&request);
    let mut answer = Vec::new();
    // An event stream never ends, so only the beginning of an answer is read.
    let _ = stream.take(64).read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer);
    assert!(!answer.starts_with("HTTP/1.1 5") || answer.starts_with("HTTP/1.1 503"), "the server failed: {answer}");
}

/// Starts a server of one problem, and returns its address and token.
fn start_server() -> (SocketAddr, String) {
    let folder = folder().keep();
    let problem = folder.join("problems/sum");
    fs::create_dir_all(&problem).expect("the temporary folder is writable");
    fs::write(problem.join("problem.yaml"), include_str!("corpus/problem/sum.yaml")).expect("the file is writable");
    // The fork server of cells is the binary of Nimatron.
    let exe = std::env::var_os("NIMATRON_EXE").expect("NIMATRON_EXE is the path of the nimatron binary");
    let cancel = Cancel::new().expect("an event can be created");
    let config = ServiceConfig {
        fork_server: ForkServer::new(exe),
        cache: folder.join("cache"),
        problems: None,
        jobs: 1,
        isolation: IsolationRequirement::default(),
        cells: 0,
    };
    let service = JudgeService::open(&config, &cancel).expect("the service starts");
    let catalog = Catalog::new(&[folder.join("problems")], &folder, &config.cache).expect("the catalog is valid");
    let state = folder.join("state");
    let index = ProblemIndex::new(catalog, config.cache.clone(), &[], state.clone()).expect("the problem is valid");
    let address = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port is free");
    let web = WebConfig {
        listen: address,
        data: state.clone(),
        history: state,
        token_file: None,
        class: false,
        hosts: Vec::new(),
        tls: None,
        insecure_network: false,
        person_storage: ByteSize::new(1 << 30),
    };
    let serving = Serving::start(&web, service, index, None).expect("the server starts");
    let token = serving.token().to_owned();
    std::thread::spawn(move || serving.run(&cancel).expect("the server runs"));
    (address, token)
}

/// Divides the bytes at the first line `---`. Without it, the second part is empty.
fn halves(data: &[u8]) -> (&[u8], &[u8]) {
    let line = b"\n---\n";
    match data.windows(line.len()).position(|window| window == line) {
        Some(at) => (&data[..=at], &data[at + line.len()..]),
        None => (data, b""),
    }
}

/// Writes the files of `data` below `root`. A file whose path is not portable or is a folder is left out.
fn write_files(data: &[u8], root: &Path) {
    fs::create_dir_all(root).expect("the temporary folder is writable");
    let mut file: Option<PathBuf> = None;
    for line in data.split_inclusive(|byte| *byte == b'\n') {
        if let Some(path) = line.strip_prefix(b"=== ") {
            let path = path.trim_ascii_end();
            file = name::parts(path).ok().map(|parts| parts.iter().fold(root.to_owned(), |path, part| path.join(part)));
            if let Some(folder) = file.as_deref().and_then(Path::parent) {
                let _ = fs::create_dir_all(folder);
            }
        }
        let append = |path: &PathBuf| fs::OpenOptions::new().create(true).append(true).open(path);
        if let Some(Ok(mut file)) = file.as_ref().map(append) {
            let text = if line.starts_with(b"=== ") { b"" } else { line };
            let _ = file.write_all(text);
        }
    }
}

/// Forms submissions from the files of a download.
fn read_roster(files: &[Listed]) {
    roster::guess(files, &[], &named(), &[]);
    let patterns: Vec<Pattern> = "{student}/{problem}".parse().into_iter().collect();
    roster::guess(files, &[], &named(), &patterns);
}

/// Checks that a value that is read from JSON is written and read back equal.
fn round_trip<T: serde::Serialize + serde::de::DeserializeOwned>(data: &[u8]) {
    let Ok(value) = serde_json::from_slice::<T>(data) else { return };
    let text = serde_json::to_string(&value).expect("a value that was read can be written");
    let again: T = serde_json::from_str(&text).expect("a value that was written can be read");
    assert_eq!(serde_json::to_string(&again).expect("the value can be written"), text);
}

/// Renders the message of an error, whose positions must be valid.
fn show<T>(result: Result<T, Diagnostic>) -> Option<T> {
    result.map_err(|diagnostic| render_diagnostic(&diagnostic, false, 80)).ok()
}

fn id() -> ProblemId {
    "sum".parse().expect("the id is valid")
}

fn named() -> [Named; 2] {
    let named = |id: &str, name: &str| Named { id: id.parse().expect("the id is valid"), name: name.to_owned() };
    [named("sum", "Sum"), named("classic-nim", "Classic Nim")]
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("the temporary folder is writable")
}
