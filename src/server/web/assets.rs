//! Static files of the pages: scripts and the style sheet, embedded in the binary.
//!
//! Their paths contain a hash of all files, so that a browser can cache them indefinitely and never mixes two versions.

use std::io::Write;
use std::sync::{LazyLock, OnceLock};

use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::{Compression, write::GzEncoder};

use crate::model::Digest;

use super::error::{WebError, WebResult};
use super::extract::Path;

/// A static file.
struct Asset {
    name: &'static str,
    content: &'static [u8],
    /// Content compressed with gzip, computed at the first request.
    gzip: OnceLock<Bytes>,
    /// Names of the files that a script imports statically, computed when a page first needs them.
    imports: OnceLock<Vec<&'static str>>,
}

macro_rules! assets {
    ($($name:literal),* $(,)?) => {
        [$(Asset { name: $name, content: include_bytes!(concat!("assets/", $name)), gzip: OnceLock::new(), imports: OnceLock::new() }),*]
    };
}

static ASSETS: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    assets![
        "api.js",
        "app.js",
        "case_detail.js",
        "classes/answers.js",
        "classes/book_grid.js",
        "classes/book_model.js",
        "classes/class_api.js",
        "classes/class_list.js",
        "classes/class_menu.js",
        "classes/code_view.js",
        "classes/data_table.js",
        "classes/drop.js",
        "classes/files.js",
        "classes/heatmap.js",
        "classes/histogram.js",
        "classes/likeness.js",
        "classes/live_bar.js",
        "classes/log.js",
        "classes/marks.js",
        "classes/roster_table.js",
        "classes/rules.js",
        "classes/start.js",
        "classes/submission_view.js",
        "classes/tests.js",
        "classes/upload.js",
        "classes/zip.js",
        "compile_errors.js",
        "copy.js",
        "diff.js",
        "dom.js",
        "drafts.js",
        "editor/core.js",
        "editor/editor.js",
        "editor/editor.licenses.txt",
        "editor/language-cpp.js",
        "editor/language-go.js",
        "editor/language-java.js",
        "editor/language-javascript.js",
        "editor/language-python.js",
        "editor/language-rust.js",
        "events.js",
        "format.js",
        "forms.js",
        "game.js",
        "game_board.js",
        "own_tests.js",
        "practise.js",
        "practise_panel.js",
        "reason.js",
        "run_state.js",
        "run_view.js",
        "search_options.js",
        "statement.js",
        "stress_state.js",
        "stress_view.js",
        "style.css",
        "submissions_list.js",
        "tabs.js",
        "time_left.js",
        "toast.js",
    ]
    .into()
});

/// Hash of all files, which is part of their paths.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let parts = ASSETS.iter().flat_map(|asset| [asset.name.as_bytes(), asset.content]);
    Digest::of_parts(parts).to_string()[..16].to_owned()
});

/// Returns the path under which a static file is served.
pub(super) fn asset_path(name: &str) -> String {
    format!("/assets/{}/{name}", *VERSION)
}

/// Returns `scripts` and all scripts that they import statically, directly or indirectly, each once. If the head of a
/// page lists them, the browser loads all of them concurrently, instead of one level of imports after the other.
pub(super) fn with_imports(scripts: &[&'static str]) -> Vec<&'static str> {
    let mut all = scripts.to_vec();
    let mut next = 0;
    while let Some(name) = all.get(next) {
        for import in imports_of(name) {
            if !all.contains(import) {
                all.push(import);
            }
        }
        next += 1;
    }
    all
}

/// Returns the names of the scripts that a script imports statically.
fn imports_of(name: &str) -> &'static [&'static str] {
    let Some(asset) = ASSETS.iter().find(|asset| asset.name == name) else { return &[] };
    asset.imports.get_or_init(|| {
        let text = str::from_utf8(asset.content).unwrap_or_default();
        let folder = asset.name.rsplit_once('/').map_or("", |(folder, _)| folder);
        // All static imports in the assets have the form `import … from "path"`. A dynamic import does not contain
        // `from`, so it is not found.
        let paths =
            text.split("from").skip(1).filter_map(|rest| rest.trim_start().strip_prefix('"')?.split('"').next());
        let names = paths.filter_map(|path| {
            let name = match path.strip_prefix("../") {
                Some(above) => above.to_owned(),
                None if folder.is_empty() => path.strip_prefix("./")?.to_owned(),
                None => format!("{folder}/{}", path.strip_prefix("./")?),
            };
            ASSETS.iter().find(|asset| asset.name == name).map(|asset| asset.name)
        });
        names.collect()
    })
}

/// Handles `GET /assets/{version}/{*name}`.
pub(super) async fn asset(Path((version, name)): Path<(String, String)>, headers: HeaderMap) -> WebResult {
    let known = ASSETS.iter().find(|asset| asset.name == name && version == *VERSION);
    let missing =
        || WebError::missing(format!("there is no file `{name}` with the version `{version}`")).help("reload the page");
    let asset = known.ok_or_else(missing)?;
    let kind = match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    };
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or("");
    let common = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
        (header::VARY, "accept-encoding"),
    ];
    if accepted.contains("gzip") {
        let body = asset.gzip.get_or_init(|| Bytes::from(compressed(asset.content))).clone();
        return Ok((StatusCode::OK, common, [(header::CONTENT_ENCODING, "gzip")], body).into_response());
    }
    Ok((StatusCode::OK, common, Bytes::from_static(asset.content)).into_response())
}

fn compressed(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    // Writing to memory cannot fail.
    _ = encoder.write_all(content);
    encoder.finish().unwrap_or_default()
}

/// Handles `GET /favicon.ico`: returns no content, since the head of each page contains the icon.
pub(super) async fn no_icon() -> Response {
    StatusCode::NO_CONTENT.into_response()
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn every_file_of_the_folder_is_embedded() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("web/assets");
        let mut files = Vec::new();
        for folder in ["", "classes/", "editor/"] {
            for entry in fs_err::read_dir(root.join(folder)).unwrap() {
                let name = entry.unwrap().file_name().into_string().unwrap();
                if [".js", ".css", ".txt"].iter().any(|ending| name.ends_with(ending)) {
                    files.push(format!("{folder}{name}"));
                }
            }
        }
        files.sort_unstable();
        let embedded: Vec<&str> = ASSETS.iter().map(|asset| asset.name).collect();
        assert_eq!(embedded, files);
    }

    #[test]
    fn the_scripts_of_a_page_are_small() {
        let scripts = ASSETS.iter().filter(|asset| asset.name.ends_with(".js"));
        // A page loads the syntax definition of only one language.
        let (languages, others): (Vec<_>, Vec<_>) =
            scripts.partition(|asset| asset.name.starts_with("editor/language-"));
        let size = |asset: &&Asset| compressed(asset.content).len();
        let size = others.iter().map(size).sum::<usize>() + languages.iter().map(size).max().unwrap();
        assert!(size <= 250_000, "{size} bytes");
        let classes = ASSETS.iter().filter(|asset| asset.name.starts_with("classes/"));
        let size: usize = classes.map(|asset| compressed(asset.content).len()).sum();
        assert!(size <= 40_000, "{size} bytes for the pages of classes");
    }

    #[test]
    fn imports_are_found_at_all_levels() {
        let scripts = with_imports(&["practise.js"]);
        for name in ["practise.js", "api.js", "toast.js", "dom.js", "editor/editor.js", "editor/core.js"] {
            assert_eq!(scripts.iter().filter(|script| **script == name).count(), 1, "{name}: {scripts:?}");
        }
        assert!(!scripts.iter().any(|name| name.starts_with("editor/language-")), "languages are imported dynamically");
        assert!(with_imports(&["classes/marks.js"]).contains(&"dom.js"), "`dom.js` is imported as `../dom.js`");
        // `imports_of` finds every import that a script of the project declares.
        for asset in ASSETS.iter().filter(|asset| asset.name.ends_with(".js") && !asset.name.starts_with("editor/")) {
            let lines = str::from_utf8(asset.content).unwrap().lines();
            let declared = lines.filter(|line| line.starts_with("import ")).count();
            assert_eq!(imports_of(asset.name).len(), declared, "{}", asset.name);
        }
    }

    #[test]
    fn compressed_files_are_read_back_equal() {
        for asset in ASSETS.iter() {
            let mut read = Vec::new();
            flate2::read::GzDecoder::new(&compressed(asset.content)[..]).read_to_end(&mut read).unwrap();
            assert_eq!(read, asset.content, "{}", asset.name);
        }
    }
}
