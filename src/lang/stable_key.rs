//! The encoding of languages and detected programs in persistent keys.

use crate::model::{Digest, KeyWriter, StableKey};

use super::language::{EntryPoint, Keep, Kit, Language, Optional, PrecompiledLibrary, Probe, Stack, WrappedProgram};
use super::path_search::Stamp;
use super::template::Template;

/// The version of the encodings in this module.
pub(super) const VERSION: u32 = 2;

impl Language {
    /// Returns the hash of all parts of the row that determine how programs are built and run. The name, the origin,
    /// the signs, the precompiled header, the start hook, the recorder and the installation hint are excluded.
    pub(super) fn digest(&self) -> Digest {
        KeyWriter::new("language", VERSION).write(self).digest()
    }
}

impl StableKey for Language {
    fn write_key(&self, key: &mut KeyWriter) {
        #[rustfmt::skip]
        let Language {
            id, origin: _, name: _, extensions, also, signs: _, stage, entry, first, programs, real, probe, options, compile,
            again, warm, precompiled_header: _, start_hook: _, recorder: _, kit, keep, run, compile_env, env, noise, memory_error,
            bound_address_space, bound_compiler, stack, threads, time_factor, install: _,
        } = self;
        key.field("id", id).field("extensions", extensions).field("also", also).field("stage", stage);
        key.field("entry", entry).field("first", first).field("programs", programs);
        key.field("real", real).field("probe", probe).field("options", options);
        key.field("compile", compile).field("again", again).field("warm", warm).field("kit", kit);
        key.field("keep", keep).field("run", run).field("compile_env", compile_env).field("env", env);
        key.field("noise", noise);
        if !memory_error.is_empty() {
            key.field("memory_error", memory_error);
        }
        key.field("bound_address_space", bound_address_space).field("bound_compiler", bound_compiler);
        key.field("stack", stack).field("threads", threads).field("time_factor", time_factor);
    }
}

impl StableKey for Template {
    fn write_key(&self, key: &mut KeyWriter) {
        key.write(self.as_str());
    }
}

impl StableKey for EntryPoint {
    fn write_key(&self, key: &mut KeyWriter) {
        key.variant(match self {
            EntryPoint::File => "file",
            EntryPoint::Sources => "sources",
            EntryPoint::Java => "java",
        });
    }
}

impl StableKey for Keep {
    fn write_key(&self, key: &mut KeyWriter) {
        key.variant(match self {
            Keep::Output => "output",
            Keep::Sources => "sources",
            Keep::Folder => "folder",
        });
    }
}

impl StableKey for Probe {
    fn write_key(&self, key: &mut KeyWriter) {
        let Probe { argv, after } = self;
        key.field("argv", argv).field("after", after);
    }
}

impl StableKey for WrappedProgram {
    fn write_key(&self, key: &mut KeyWriter) {
        let WrappedProgram { program, argv, path, show, homes, env, watch, prefix } = self;
        key.field("program", program).field("argv", argv).field("path", path).field("show", show);
        key.field("homes", homes).field("env", env).field("watch", watch);
        if !prefix.is_empty() {
            key.field("prefix", prefix);
        }
    }
}

impl StableKey for Optional {
    fn write_key(&self, key: &mut KeyWriter) {
        let Optional { probe, give } = self;
        key.field("probe", probe).field("give", give);
    }
}

impl StableKey for PrecompiledLibrary {
    fn write_key(&self, key: &mut KeyWriter) {
        let PrecompiledLibrary { folder, text } = self;
        key.field("folder", folder).field("text", text);
    }
}

impl StableKey for Kit {
    fn write_key(&self, key: &mut KeyWriter) {
        let Kit { compile, give } = self;
        key.field("compile", compile).field("give", give);
    }
}

impl StableKey for Stack {
    fn write_key(&self, key: &mut KeyWriter) {
        let Stack { most, spare } = self;
        key.field("most", most).field("spare", spare);
    }
}

impl StableKey for Stamp {
    fn write_key(&self, key: &mut KeyWriter) {
        let Stamp { found, real, size, modified_ns } = self;
        key.field("found", found).field("real", real).field("size", size).field("modified_ns", modified_ns);
    }
}
