//! Chooses the entry file of a folder, by the rules of the ICPC package format.

use super::language::Language;

/// Returns the entry file: a file with a name that the language prefers, otherwise `main.*` in upper or lower case,
/// otherwise the first file by name. Files at the top level precede files in folders. Returns `None` if there are no
/// names.
pub(super) fn choose<'a>(language: &Language, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let names = in_order(names);
    main(language, &names).or(names.first().copied())
}

/// Returns the same entry file as [`choose`], or `None` if no file has a preferred name or the name `main.*`.
pub(super) fn driver<'a>(language: &Language, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    main(language, &in_order(names))
}

fn in_order<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut names = names.collect::<Vec<_>>();
    names.sort_by_key(|name| (name.matches('/').count(), *name));
    names
}

fn main<'a>(language: &Language, names: &[&'a str]) -> Option<&'a str> {
    let preferred = language.first.iter().find_map(|first| names.iter().find(|name| **name == first.as_str()));
    let is_main = |name: &str| {
        let base = name.rsplit('/').next().unwrap_or(name);
        base.split('.').next().is_some_and(|stem| stem.eq_ignore_ascii_case("main"))
    };
    preferred.or_else(|| names.iter().find(|name| is_main(name))).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LanguageQuery, LanguageTable};

    fn chosen(language: &str, names: &[&'static str]) -> Option<&'static str> {
        let table = LanguageTable::built_in().unwrap();
        choose(table.choose(LanguageQuery::Named(language)).unwrap(), names.iter().copied())
    }

    #[test]
    fn main_file_comes_before_the_first_by_name() {
        assert_eq!(chosen("cpp", &["zeta.cpp"]), Some("zeta.cpp"));
        assert_eq!(chosen("cpp", &["b.cpp", "Main.cc", "a.cpp"]), Some("Main.cc"));
        assert_eq!(chosen("cpp", &["b.cpp", "c/a.cpp", "maintain.cpp"]), Some("b.cpp"));
        assert_eq!(chosen("cpp", &["lib/main.cpp", "z.cpp"]), Some("lib/main.cpp"));
        assert_eq!(chosen("python", &["a.py", "main.py", "__main__.py"]), Some("__main__.py"));
        assert_eq!(chosen("python", &[]), None);
    }
}
