//! The digests of toolchains in grading databases up to version 1. These digests are hashes of `Debug` output.
//!
//! This file is frozen. It produces the output of the derived `Debug` of version 1, independently of the current names
//! of the types, so that the results that version 1 stored are still found.

use std::fmt::{self, Debug, Formatter};

use crate::model::{ByteSize, Digest};
use crate::yaml::Unique;

use super::language::{
    EntryPoint, Install, Keep, Kit, Language, Optional, PrecompiledLibrary, Probe, Stack, WrappedProgram,
};
use super::path_search::Stamp;
use super::template::{Template, TemplatePart};

/// Returns the version 1 digest of a toolchain, which covers the row, the output of the probe, the programs and the
/// supported options.
pub(super) fn toolchain(language: &Language, said: &str, programs: &[(String, Stamp)], options: &[String]) -> Digest {
    let row = row(language);
    let programs: Vec<(&str, V1<'_, Stamp>)> =
        programs.iter().map(|(name, stamp)| (name.as_str(), V1(stamp))).collect();
    let about = format!("{programs:?} {options:?}");
    Digest::of_parts([row.bytes().as_slice(), said.as_bytes(), about.as_bytes()])
}

/// Returns the version 1 digest of a row of the language table.
fn row(language: &Language) -> Digest {
    Digest::of(format!("{:?}", V1(language)).as_bytes())
}

/// Returns the installation instructions of a language as version 1 printed them.
fn install(row: &Language) -> Install {
    let mut install = row.install.clone();
    if row.id == "rust" && install.debian.first().is_some_and(|package| package == "rustc-web") {
        install.debian[0] = "rustc".to_owned();
        install.otherwise = Some("rustup from rust-lang.org".to_owned());
    }
    install
}

/// A wrapper that formats a value as the derived `Debug` of version 1 did.
struct V1<'a, T: ?Sized>(&'a T);

impl<T> Debug for V1<'_, Option<T>>
where
    for<'b> V1<'b, T>: Debug,
{
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.as_ref().map(V1).fmt(f)
    }
}

impl<T> Debug for V1<'_, Vec<T>>
where
    for<'b> V1<'b, T>: Debug,
{
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(V1)).finish()
    }
}

impl<T> Debug for V1<'_, Unique<T>>
where
    for<'b> V1<'b, T>: Debug,
{
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        struct Entries<'a, T>(&'a Unique<T>);
        impl<T> Debug for Entries<'_, T>
        where
            for<'b> V1<'b, T>: Debug,
        {
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                f.debug_map().entries(self.0.iter().map(|(name, value)| (name, V1(value)))).finish()
            }
        }
        f.debug_tuple("Unique").field(&Entries(self.0)).finish()
    }
}

impl Debug for V1<'_, String> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Debug for V1<'_, ByteSize> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Bytes").field(&self.0.get()).finish()
    }
}

impl Debug for V1<'_, Language> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let row = self.0;
        f.debug_struct("Language")
            .field("id", &row.id)
            .field("origin", &"")
            .field("name", &row.name)
            .field("extensions", &row.extensions)
            .field("also", &row.also)
            .field("stage", &row.stage)
            .field("entry", &V1(&row.entry))
            .field("first", &row.first)
            .field("programs", &V1(&row.programs))
            .field("real", &V1(&row.real))
            .field("probe", &V1(&row.probe))
            .field("options", &V1(&row.options))
            .field("compile", &V1(&row.compile))
            .field("again", &V1(&row.again))
            .field("warm", &V1(&row.warm))
            .field("kit", &V1(&row.kit))
            .field("keep", &V1(&row.keep))
            .field("run", &V1(&row.run))
            .field("compile_env", &V1(&row.compile_env))
            .field("env", &V1(&row.env))
            .field("noise", &row.noise)
            .field("bound_address_space", &row.bound_address_space)
            .field("bound_compiler", &row.bound_compiler)
            .field("stack", &V1(&row.stack))
            .field("threads", &row.threads)
            .field("time_factor", &row.time_factor)
            .field("install", &V1(&install(row)))
            .finish()
    }
}

impl Debug for V1<'_, Template> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Template { text, parts } = self.0;
        f.debug_struct("Template").field("text", text).field("parts", &V1(parts)).finish()
    }
}

impl Debug for V1<'_, TemplatePart> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            TemplatePart::Text(text) => f.debug_tuple("Text").field(text).finish(),
            TemplatePart::Name(name) => f.debug_tuple("Name").field(name).finish(),
        }
    }
}

impl Debug for V1<'_, EntryPoint> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            EntryPoint::File => "File",
            EntryPoint::Sources => "Sources",
            EntryPoint::Java => "Java",
        })
    }
}

impl Debug for V1<'_, Keep> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Keep::Output => "Output",
            Keep::Sources => "Sources",
            Keep::Folder => "Folder",
        })
    }
}

impl Debug for V1<'_, Probe> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Probe { argv, after } = self.0;
        f.debug_struct("Probe").field("argv", &V1(argv)).field("after", after).finish()
    }
}

impl Debug for V1<'_, WrappedProgram> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let WrappedProgram { program, argv, path, show, homes, env, watch, prefix: _ } = self.0;
        f.debug_struct("Real")
            .field("program", program)
            .field("argv", &V1(argv))
            .field("path", &V1(path))
            .field("show", &V1(show))
            .field("homes", homes)
            .field("env", env)
            .field("watch", watch)
            .finish()
    }
}

impl Debug for V1<'_, Optional> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Optional { probe, give } = self.0;
        let give: Vec<&str> = give.iter().map(Template::as_str).collect();
        f.debug_struct("Optional").field("probe", &V1(probe)).field("give", &give).finish()
    }
}

impl Debug for V1<'_, PrecompiledLibrary> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let PrecompiledLibrary { folder, text } = self.0;
        f.debug_struct("Warm").field("folder", folder).field("text", text).finish()
    }
}

impl Debug for V1<'_, Kit> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Kit { compile, give } = self.0;
        f.debug_struct("Kit").field("compile", &V1(compile)).field("give", &V1(give)).finish()
    }
}

impl Debug for V1<'_, Stack> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Stack { most, spare } = self.0;
        f.debug_struct("Stack").field("most", &V1(most)).field("spare", &V1(spare)).finish()
    }
}

impl Debug for V1<'_, Install> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Install { debian, otherwise, least: _ } = self.0;
        f.debug_struct("Install").field("debian", debian).field("otherwise", otherwise).finish()
    }
}

impl Debug for V1<'_, Stamp> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Stamp { found, real, size, modified_ns } = self.0;
        f.debug_struct("Stamp")
            .field("found", found)
            .field("real", real)
            .field("size", size)
            .field("modified_ns", modified_ns)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LanguageQuery, LanguageTable, TableLayer};

    const ROWS: &str = r#"
format: 1
languages:
  full:
    name: Full
    extensions: [fu, ful]
    also: [txt]
    stage: Main.fu
    entry: java
    first: [main.fu]
    programs: { fuc: [fuc-2, fuc], fur: [fur] }
    real: { program: fuc, argv: ["{fuc}", --print], path: "{1}/bin", show: ["{2}"], homes: ["~/.fu"], env: [FU_HOME], watch: ["~/.fu/version"] }
    probe: { argv: ["{fuc}", --version], after: fu }
    options: { fast: { probe: ["{fuc}", --print-file], give: [-fast, "{x y}"] } }
    compile: ["{fuc}", "-o{program}", "{sources}", "{fast}", "a{b", "{kit}"]
    again: ["{fuc}", -old, "{sources}"]
    warm: { folder: pch, text: "x\ny" }
    kit: { compile: ["{fuc}", "{dir}"], give: ["-L{dir}"] }
    keep: folder
    run: ["{fur}", "-m{memory_mib}", "{program}"]
    compile_env: { A: "{tmp}" }
    env: { B: "{dir}/b" }
    noise: ["note:"]
    bound_address_space: false
    bound_compiler: false
    stack: { most: 1GiB, spare: 16MiB }
    threads: 3
    time_factor: 2
    install: { debian: [fu], otherwise: "by hand" }
  plain:
    name: Plain
    programs: { p: [p] }
    probe: { argv: ["{p}"] }
    keep: sources
    run: ["{p}"]
"#;

    #[test]
    fn rows_are_written_as_in_version_1() {
        let table =
            LanguageTable::from_layers(&[TableLayer { origin: "test".to_owned(), text: ROWS.to_owned() }]).unwrap();
        let texts: Vec<String> = table.rows()[..2].iter().map(|row| format!("{:?}", V1(&**row))).collect();
        let wanted: Vec<&str> = include_str!("rows_v1.txt").lines().collect();
        assert_eq!(texts, wanted);
    }

    /// If you change how a language is built or run, remove the line of the language from this test, so that programs
    /// in the language are judged again. A change of a name or of an installation hint must not have this effect: keep
    /// the old value for the digests of version 1 in this file.
    #[test]
    fn built_in_rows_have_the_digests_of_version_1() {
        let table = LanguageTable::built_in().unwrap();
        for (id, digest) in [
            ("rust", "695a1357089aa1b9f98ecaf820d3ba2277f43cea90412b3e1cbe6a122a8a7d0f"),
            ("c", "ca0f027e221cf9769f8821deafa866f09c950aee1013d4bc0b8610e2f88cb66e"),
            ("cpp", "6f8dc96e33a8f793d243b1875d153f0a919295467bde365278696cf98e69f9bb"),
            ("javascript", "37ac20f6c26d6d839d9e416453385a327917a2b53969914731adb4e19494c1c2"),
            ("go", "eb4471f6915b2a9f53318fea4a4bb1c175be0213b3dcae545c99deae9ff6b0d8"),
            ("csharp", "1a859ca0a1ed89e8dbdf0f03fbe07878ede39bcc5ace372297dc6dc1078b6e52"),
            ("haskell", "96e8b664f0b630fc00c4ee0cf14b4c91897382f6f5b235c9d1ea86bec2b18e7a"),
            ("ocaml", "712819c83e469574303c521a2e362c005ba40b31ec88f8b30c71a2895450b0e5"),
            ("pascal", "f53d7c40acfa447ea032e5e0ab30757495a442cd72c64a7c5de6614b684be5ed"),
            ("lua", "23525f30b31c9eb8d943ecaff492b90388d260980ca31218c458bce3dca35ccd"),
            ("bash", "10edaa5fb361fa7f19f4338e95f93e0cf115f217b4cdecbc81d78a8b5a37f072"),
            ("perl", "e07c6f169140f6fa7dab6dc1685657f6ae9d1d03bd328c7d6417ce6669864b5f"),
        ] {
            let language = table.choose(LanguageQuery::Named(id)).unwrap();
            assert_eq!(row(language).to_string(), digest, "{id}");
        }
    }

    #[test]
    fn stamps_are_written_as_in_version_1() {
        let stamp = Stamp { found: "/usr/bin/cc".into(), real: "/usr/bin/gcc-12".into(), size: 5, modified_ns: -6 };
        let text = format!("{:?}", V1(&stamp));
        assert_eq!(text, r#"Stamp { found: "/usr/bin/cc", real: "/usr/bin/gcc-12", size: 5, modified_ns: -6 }"#);
    }
}
