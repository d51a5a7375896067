//! Runs the tests of this folder in Chromium. They need Node, the packages that `npm ci` installs here, and Chromium.

#![expect(clippy::unwrap_used, clippy::print_stderr, reason = "a test fails by panicking, and says what it skips")]

use std::path::Path;
use std::process::{Command, Stdio};

/// The programs under whose names Chromium is looked for.
const BROWSERS: [&str; 4] = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];

/// Maximum duration of all tests in a browser, in seconds. A page that never answers would otherwise stop the tests.
const MOST_SECONDS: &str = "2400";

/// Returns what is missing for the tests in a browser.
fn missing(folder: &Path) -> Option<String> {
    let is_there = |program: &str| {
        let mut command = Command::new(program);
        command
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    };
    if !is_there("node") {
        return Some("node is not installed".to_owned());
    }
    if !BROWSERS.iter().any(|browser| is_there(browser)) {
        return Some("Chromium is not installed".to_owned());
    }
    let has_package = |name: &str| folder.join("node_modules").join(name).join("package.json").is_file();
    let complete = ["playwright-core", "axe-core"].iter().all(|name| has_package(name));
    (!complete).then(|| "run `npm ci` in tests/web".to_owned())
}

#[test]
fn pages_work_in_a_browser() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/web");
    if let Some(missing) = missing(&folder) {
        let strict = std::env::var_os("NIMATRON_STRICT").is_some_and(|value| value == "1");
        assert!(!strict, "NIMATRON_STRICT: {missing}");
        eprintln!("skipped the tests in a browser: {missing}");
        return;
    }
    let binary = std::env::var_os("NIMATRON_BIN").unwrap_or_else(|| env!("CARGO_BIN_EXE_nimatron-server").into());
    let mut names: Vec<_> = fs_err::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".test.mjs"))
        .collect();
    names.sort_unstable();
    let mut command = Command::new("timeout");
    command
        .args(["--kill-after=20", MOST_SECONDS, "node", "--test", "--test-concurrency=2", "--test-reporter=spec"])
        .args(names)
        .current_dir(&folder)
        .env("NIMATRON_EXE", binary);
    let ran = command.env_remove("NIMATRON_STRICT").stdin(Stdio::null()).output().unwrap();
    let report = String::from_utf8_lossy(&ran.stdout);
    assert_ne!(ran.status.code(), Some(124), "the tests took longer than {MOST_SECONDS} s: {report}");
    assert!(ran.status.success(), "{report}{}", String::from_utf8_lossy(&ran.stderr));
}
