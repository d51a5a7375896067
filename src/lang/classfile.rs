//! A partial reader of Java class files, which finds the classes with a `main` method and replaces the names of classes.

/// The name of a class and the kind of its `main` method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ClassFile {
    /// The binary name of the class, such as `games/nim/Main`.
    pub(super) name: String,
    /// The kind of the class's `main` method.
    pub(super) main: MainMethod,
}

/// The kind of `main` method in a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MainMethod {
    /// The class has no `main` method that Java can start.
    None,
    /// The class has a `main` method that only recent Java versions start: a method that is not private and is an
    /// instance method, has no parameters or is not public.
    Instance,
    /// The class has a method `public static void main(String[])`.
    Static,
}

const PUBLIC: u16 = 0x0001;
const PRIVATE: u16 = 0x0002;
const STATIC: u16 = 0x0008;

/// Reads a class file. Returns `None` if it is malformed or truncated.
pub(super) fn read(bytes: &[u8]) -> Option<ClassFile> {
    let mut reader = ClassReader { bytes };
    if reader.u32()? != 0xcafe_babe {
        return None;
    }
    reader.skip(4)?;
    let pool = ConstantPool::read(&mut reader)?;
    reader.skip(2)?;
    let name = pool.class_name(reader.u16()?)?;
    reader.skip(2)?;
    let interfaces = usize::from(reader.u16()?);
    reader.skip(2 * interfaces)?;
    members(&mut reader, |_, _, _| ())?;
    let mut main = MainMethod::None;
    members(&mut reader, |access, name, descriptor| {
        if pool.text(name) == Some(b"main") {
            main = main.max(kind(access, pool.text(descriptor).unwrap_or_default()));
        }
    })?;
    Some(ClassFile { name, main })
}

/// What is appended to the name of a class that a program cannot load. The name becomes part of the message of the
/// exception. Names in class files may contain spaces.
const FORBIDDEN: &str = " (forbidden by the problem)";

/// Returns the class file with [`FORBIDDEN`] appended to the names of the classes `names` wherever they occur, in
/// references to classes and in types. Java finds no class of this name, so the program ends with an exception when it
/// uses one. Returns `None` if the file is malformed or refers to none of the classes.
pub(super) fn forbid(bytes: &[u8], names: &[&str]) -> Option<Vec<u8>> {
    let mut reader = ClassReader { bytes };
    reader.skip(8)?;
    let count = usize::from(reader.u16()?);
    let mut changed = bytes[..bytes.len() - reader.bytes.len()].to_vec();
    let (mut entries, mut any) = (1, false);
    while entries < count {
        let before = reader.bytes;
        let (constant, places) = constant(&mut reader)?;
        let original = &before[..before.len() - reader.bytes.len()];
        let text = if let PoolEntry::Text(text) = constant { std::str::from_utf8(text).ok() } else { None };
        match text.and_then(|text| without(text, names)) {
            Some(text) => {
                any = true;
                changed.push(TEXT);
                changed.extend(u16::try_from(text.len()).ok()?.to_be_bytes());
                changed.extend(text.as_bytes());
            }
            None => changed.extend(original),
        }
        entries += places;
    }
    changed.extend(reader.bytes);
    any.then_some(changed)
}

/// Returns a constant with [`FORBIDDEN`] appended to the names of classes. The constant must be such a name itself, or
/// contain it as a type (`Ljava/math/BigInteger;`). Returns `None` if it does not.
fn without(text: &str, names: &[&str]) -> Option<String> {
    let replaced = names.iter().fold(text.to_owned(), |text, name| {
        if text == *name {
            format!("{name}{FORBIDDEN}")
        } else {
            text.replace(&format!("L{name};"), &format!("L{name}{FORBIDDEN};"))
        }
    });
    // A longer constant cannot be a name. It is left unchanged, because its length would not fit.
    (replaced != text && replaced.len() <= usize::from(u16::MAX)).then_some(replaced)
}

/// Returns the kind of a method named `main`.
fn kind(access: u16, descriptor: &[u8]) -> MainMethod {
    match descriptor {
        b"([Ljava/lang/String;)V" if access & (PUBLIC | STATIC) == PUBLIC | STATIC => MainMethod::Static,
        b"([Ljava/lang/String;)V" | b"()V" if access & PRIVATE == 0 => MainMethod::Instance,
        _ => MainMethod::None,
    }
}

/// Reads fields or methods, and calls `emit` with the access flags, name and descriptor of each. Returns `None` if the
/// file is truncated.
fn members(reader: &mut ClassReader<'_>, mut emit: impl FnMut(u16, u16, u16)) -> Option<()> {
    for _ in 0..reader.u16()? {
        let (access, name, descriptor) = (reader.u16()?, reader.u16()?, reader.u16()?);
        for _ in 0..reader.u16()? {
            reader.skip(2)?;
            let length = reader.u32()?;
            reader.skip(usize::try_from(length).ok()?)?;
        }
        emit(access, name, descriptor);
    }
    Some(())
}

/// The constant pool of a class file. Only UTF-8 constants and class references are stored. A class reference is stored
/// as the index of its name.
struct ConstantPool<'a> {
    entries: Vec<PoolEntry<'a>>,
}

#[derive(Clone, Copy)]
enum PoolEntry<'a> {
    Text(&'a [u8]),
    Class(u16),
    Other,
}

/// The tag of a UTF-8 constant.
const TEXT: u8 = 1;

/// Reads a constant, and returns it with the number of entries of the constant pool that it occupies. Returns `None` if
/// the file is malformed or truncated.
fn constant<'a>(reader: &mut ClassReader<'a>) -> Option<(PoolEntry<'a>, usize)> {
    Some(match reader.take(1)?[0] {
        TEXT => {
            let length = usize::from(reader.u16()?);
            (PoolEntry::Text(reader.take(length)?), 1)
        }
        7 => (PoolEntry::Class(reader.u16()?), 1),
        // A long or a double occupies two entries of the constant pool.
        5 | 6 => (reader.skip(8).map(|()| PoolEntry::Other)?, 2),
        8 | 16 | 19 | 20 => (reader.skip(2).map(|()| PoolEntry::Other)?, 1),
        15 => (reader.skip(3).map(|()| PoolEntry::Other)?, 1),
        3 | 4 | 9..=12 | 17 | 18 => (reader.skip(4).map(|()| PoolEntry::Other)?, 1),
        _ => return None,
    })
}

impl<'a> ConstantPool<'a> {
    fn read(reader: &mut ClassReader<'a>) -> Option<ConstantPool<'a>> {
        let count = usize::from(reader.u16()?);
        let mut entries = vec![PoolEntry::Other];
        while entries.len() < count {
            let (constant, places) = constant(reader)?;
            entries.extend(std::iter::repeat_n(constant, places));
        }
        Some(ConstantPool { entries })
    }

    fn text(&self, index: u16) -> Option<&'a [u8]> {
        match self.entries.get(usize::from(index))? {
            PoolEntry::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the name of the class at this index. Java's modified UTF-8 is decoded as UTF-8, from which it differs
    /// only for NUL and for characters above U+FFFF, which are rare in names.
    fn class_name(&self, index: u16) -> Option<String> {
        match self.entries.get(usize::from(index))? {
            PoolEntry::Class(name) => String::from_utf8(self.text(*name)?.to_vec()).ok(),
            _ => None,
        }
    }
}

struct ClassReader<'a> {
    bytes: &'a [u8],
}

impl<'a> ClassReader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.bytes.split_at_checked(count)?;
        self.bytes = rest;
        Some(head)
    }

    fn skip(&mut self, count: usize) -> Option<()> {
        self.take(count).map(|_| ())
    }

    fn u16(&mut self) -> Option<u16> {
        self.take(2)?.try_into().ok().map(u16::from_be_bytes)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take(4)?.try_into().ok().map(u32::from_be_bytes)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Builds a class file with one method.
    fn class(name: &str, access: u16, method: &str, descriptor: &str) -> Vec<u8> {
        let text = |text: &str| {
            let mut entry = vec![1];
            entry.extend(u16::try_from(text.len()).unwrap().to_be_bytes());
            entry.extend(text.as_bytes());
            entry
        };
        let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61];
        bytes.extend([0, 7]);
        bytes.extend(text(name));
        bytes.extend([7, 0, 1]);
        bytes.extend([5, 0, 0, 0, 0, 0, 0, 0, 9]);
        bytes.extend(text(method));
        bytes.extend(text(descriptor));
        bytes.extend([0, 1, 0, 2, 0, 2, 0, 0, 0, 0]);
        bytes.extend([0, 1]);
        bytes.extend(access.to_be_bytes());
        bytes.extend([0, 5, 0, 6, 0, 1, 0, 1, 0, 0, 0, 2, 9, 9, 0, 0]);
        bytes
    }

    #[test]
    fn forbidden_classes_are_renamed_in_references_and_types() {
        let file = class("java/math/BigInteger", 0, "[Ljava/math/BigInteger;", "(Ljava/math/BigIntegers;J)V");
        let names = ["sun/misc/Unsafe", "java/math/BigInteger"];
        let changed = forbid(&file, &names).unwrap();
        assert_eq!(read(&changed).unwrap().name, "java/math/BigInteger (forbidden by the problem)");
        let text = String::from_utf8_lossy(&changed);
        assert!(text.contains("[Ljava/math/BigInteger (forbidden by the problem);"), "{text}");
        assert!(text.contains("(Ljava/math/BigIntegers;J)V"), "{text}");
        assert_eq!(changed.len(), file.len() + 2 * FORBIDDEN.len());
        assert_eq!(forbid(&file, &names[..1]), None);
    }

    #[test]
    fn main_methods_are_classified() {
        let strings = "([Ljava/lang/String;)V";
        for (access, method, descriptor, main) in [
            (PUBLIC | STATIC, "main", strings, MainMethod::Static),
            (PUBLIC | STATIC | 0x0080, "main", strings, MainMethod::Static),
            (STATIC, "main", strings, MainMethod::Instance),
            (0, "main", "()V", MainMethod::Instance),
            (PRIVATE, "main", "()V", MainMethod::None),
            (PUBLIC | STATIC, "main", "(I)V", MainMethod::None),
            (PUBLIC | STATIC, "Main", strings, MainMethod::None),
        ] {
            let found = read(&class("取石子/Main", access, method, descriptor)).unwrap();
            assert_eq!((found.name.as_str(), found.main), ("取石子/Main", main), "{access} {method} {descriptor}");
        }
    }

    #[test]
    fn truncated_class_files_are_refused() {
        let whole = class("A", PUBLIC, "main", "()V");
        assert!((0..whole.len() - 2).all(|length| read(&whole[..length]).is_none()));
        assert_eq!(read(b"PK\x03\x04 and so on"), None);
    }

    proptest! {
        #[test]
        fn damaged_class_files_do_no_harm(at in 8_usize..60, byte: u8) {
            let mut bytes = class("A", PUBLIC, "main", "()V");
            bytes[at] = byte;
            // Any result is allowed, but the reader must not panic.
            let _ = read(&bytes);
            let _ = forbid(&bytes, &["A"]);
        }
    }
}
