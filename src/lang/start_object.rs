//! The object file that is linked into programs so that they can be prestarted. It contains the machine code of the
//! [start hook](StartHook), and an entry in the list of functions that a program calls before its constructors.

use crate::sandbox::StartHook;

use super::source::Source;

/// Returns the hook that is linked to the program, or `None` if none is. Compiler arguments of a problem author may select
/// another kind of program, such as one for 32-bit processors.
pub(super) fn linked_hook(source: &Source) -> Option<StartHook> {
    let is_linked = !source.language().start_hook.is_empty() && source.compiler_args().is_empty();
    StartHook::of_this_machine().filter(|_| is_linked)
}

/// Returns the content of the object file with the [start hook](StartHook), for programs that are built outside the
/// sandbox; `None` if there is no hook for this machine.
pub fn start_hook_object() -> Option<Vec<u8>> {
    StartHook::of_this_machine().map(|hook| object(hook.code))
}

/// The size of the file header and of the entries of the tables, in bytes.
const HEADER: usize = 64;
const SECTION_ENTRY: usize = 64;
const SYMBOL_ENTRY: usize = 24;
const RELOCATION_ENTRY: usize = 24;
/// The size of an address, in bytes.
const ADDRESS: usize = 8;

// Numbers of the ELF format, by their names in the specification of the System V ABI.
const ET_REL: u16 = 1;
const EM_X86_64: u16 = 62;
const SHT_PROGBITS: u32 = 1;
const SHT_SYMTAB: u32 = 2;
const SHT_STRTAB: u32 = 3;
const SHT_RELA: u32 = 4;
const SHT_PREINIT_ARRAY: u32 = 16;
const SHF_WRITE: u64 = 1;
const SHF_ALLOC: u64 = 2;
const SHF_EXECINSTR: u64 = 4;
const SHF_INFO_LINK: u64 = 64;
const STT_SECTION: u8 = 3;
const R_X86_64_64: u64 = 1;

/// A section of the file. The fields have the meanings of those of `Elf64_Shdr`.
struct ObjectSection {
    name: &'static str,
    kind: u32,
    flags: u64,
    content: Vec<u8>,
    link: u32,
    info: u32,
    align: u64,
    entry: usize,
}

/// Returns an ELF object file for x86-64 whose only code, `code`, is called before the constructors of a program.
pub(super) fn object(code: &[u8]) -> Vec<u8> {
    // The numbers of sections, in the order of the list below; section 0 is the empty one.
    const CODE: u32 = 1;
    const ARRAY: u32 = 2;
    const SYMBOLS: u32 = 4;
    const NAMES: u32 = 5;
    /// The symbol of the section with the code. Symbol 0 is the empty one.
    const CODE_SYMBOL: u64 = 1;
    let symbol = |kind: u8, section: u16| {
        let mut entry = vec![0; SYMBOL_ENTRY];
        entry[4] = kind;
        entry[6..8].copy_from_slice(&section.to_le_bytes());
        entry
    };
    // The address in the array, at its start, is that of the code.
    let relocation = [0, CODE_SYMBOL << 32 | R_X86_64_64, 0].map(u64::to_le_bytes).concat();
    let section = |name, kind, flags, content: Vec<u8>, align| ObjectSection {
        name,
        kind,
        flags,
        content,
        link: 0,
        info: 0,
        align,
        entry: 0,
    };
    let relocations = section(".rela.preinit_array", SHT_RELA, SHF_INFO_LINK, relocation, 8);
    let symbols = section(".symtab", SHT_SYMTAB, 0, [symbol(0, 0), symbol(STT_SECTION, CODE as u16)].concat(), 8);
    let mut sections = vec![
        section(".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code.to_vec(), 16),
        section(".preinit_array", SHT_PREINIT_ARRAY, SHF_ALLOC | SHF_WRITE, vec![0; ADDRESS], 8),
        ObjectSection { link: SYMBOLS, info: ARRAY, entry: RELOCATION_ENTRY, ..relocations },
        // All symbols are local, so `info`, the number of the first global one, is their count.
        ObjectSection { link: NAMES, info: 2, entry: SYMBOL_ENTRY, ..symbols },
        section(".strtab", SHT_STRTAB, 0, vec![0], 1),
        // This section marks that the code needs no executable stack.
        section(".note.GNU-stack", SHT_PROGBITS, 0, Vec::new(), 1),
    ];
    let mut names = vec![0];
    let mut starts = Vec::new();
    for section in &sections {
        starts.push(names.len() as u32);
        names.extend_from_slice(section.name.as_bytes());
        names.push(0);
    }
    sections[NAMES as usize - 1].content = names;
    assemble(&sections, &starts, NAMES as u16)
}

/// Returns the file with these sections, whose names begin at `names` in the section with the number `strings`.
fn assemble(sections: &[ObjectSection], names: &[u32], strings: u16) -> Vec<u8> {
    let mut body = Vec::new();
    let mut table = vec![0; SECTION_ENTRY];
    for (section, name) in sections.iter().zip(names) {
        body.resize((HEADER + body.len()).next_multiple_of(16) - HEADER, 0);
        let (place, size) = ((HEADER + body.len()) as u64, section.content.len() as u64);
        body.extend_from_slice(&section.content);
        table.extend([name.to_le_bytes(), section.kind.to_le_bytes()].concat());
        // The address of every section is 0.
        table.extend([section.flags, 0, place, size].map(u64::to_le_bytes).concat());
        table.extend([section.link, section.info].map(u32::to_le_bytes).concat());
        table.extend([section.align, section.entry as u64].map(u64::to_le_bytes).concat());
    }
    body.resize((HEADER + body.len()).next_multiple_of(16) - HEADER, 0);
    // The identification: 64-bit, little-endian, version 1, System V.
    let mut file = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
    file.extend([ET_REL, EM_X86_64].map(u16::to_le_bytes).concat());
    file.extend(1_u32.to_le_bytes());
    // There is no entry point and no program header.
    file.extend([0, 0, (HEADER + body.len()) as u64].map(u64::to_le_bytes).concat());
    file.extend(0_u32.to_le_bytes());
    let counts = [HEADER as u16, 0, 0, SECTION_ENTRY as u16, sections.len() as u16 + 1, strings];
    file.extend(counts.map(u16::to_le_bytes).concat());
    [file, body, table].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_runs_before_constructors() {
        // This code exits with code 7.
        let code = [0xb8, 231, 0, 0, 0, 0xbf, 7, 0, 0, 0, 0x0f, 0x05];
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs_err::write(at("a.o"), object(&code)).unwrap();
        fs_err::write(at("a.c"), "__attribute__((constructor)) void f(void) { __builtin_trap(); } int main(void) {}")
            .unwrap();
        if !cfg!(target_arch = "x86_64") {
            return;
        }
        for kind in ["-static", "-static-pie", "-no-pie", "-pie"] {
            let built = std::process::Command::new("gcc")
                .args([kind, "-Wall", "-Werror", "-Wl,--fatal-warnings", "-Wl,--gc-sections", "-o"])
                .args([at("a"), at("a.c"), at("a.o")])
                .output()
                .unwrap();
            assert!(built.status.success(), "{kind}: {}", String::from_utf8_lossy(&built.stderr));
            assert_eq!(std::process::Command::new(at("a")).status().unwrap().code(), Some(7), "{kind}");
        }
    }
}
