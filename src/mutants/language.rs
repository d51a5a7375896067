//! The languages whose programs can be mutated, and the notation of mutants in each language.

/// A language whose programs can be mutated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MutantLanguage {
    /// Rust, whose programs are parsed by `syn`.
    Rust,
    /// C, in which the truth values are 0 and 1.
    C,
    /// C++, in which stream operators are not mutated.
    Cpp,
    /// Java, with a class for each mutant that cannot be switched at run time.
    Java,
    /// Python, whose mutants are compiled when they are run.
    Python,
    /// JavaScript, whose mutants are compiled when they are run.
    JavaScript,
    /// Go, with a copy of the changed function for each mutant.
    Go,
}

/// The method by which several mutants are combined in one program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Combination {
    /// Each changed expression or statement becomes a switch.
    Switches,
    /// Each mutant is a copy of the function that it changes.
    FunctionCopies,
    /// The program contains the source text of the original, applies the change of one mutant to the text, and
    /// interprets the result.
    Patches,
}

impl MutantLanguage {
    /// Returns the language for an id in the language table, or `None` if its programs cannot be mutated.
    pub fn of(id: &str) -> Option<MutantLanguage> {
        Some(match id {
            "rust" => MutantLanguage::Rust,
            "c" => MutantLanguage::C,
            "cpp" => MutantLanguage::Cpp,
            "java" => MutantLanguage::Java,
            "python" | "pypy" => MutantLanguage::Python,
            "javascript" => MutantLanguage::JavaScript,
            "go" => MutantLanguage::Go,
            _ => return None,
        })
    }

    /// Returns the extension of files in this language, without the dot.
    pub const fn extension(self) -> &'static str {
        match self {
            MutantLanguage::Rust => "rs",
            MutantLanguage::C => "c",
            MutantLanguage::Cpp => "cpp",
            MutantLanguage::Java => "java",
            MutantLanguage::Python => "py",
            // The program that contains the mutants uses `require`, which is available only in a CommonJS module.
            MutantLanguage::JavaScript => "cjs",
            MutantLanguage::Go => "go",
        }
    }

    /// Returns whether mutants are compiled only when they are run, so that a build does not show whether they
    /// compile. A combined program then lists the ids of the mutants that do not compile if its argument is
    /// [`CHECK`](super::CHECK).
    pub const fn is_interpreted(self) -> bool {
        matches!(self.combination(), Combination::Patches)
    }

    /// Returns whether the compiler often produces identical files for equivalent programs. A mutant that is compiled
    /// to the same file as the original is equivalent to the original.
    pub const fn proves_equivalence(self) -> bool {
        // A Java compiler does not optimize, and a Go program contains a hash of its sources.
        matches!(self, MutantLanguage::Rust | MutantLanguage::C | MutantLanguage::Cpp)
    }

    /// Returns whether a mutant that the compiler rejects in a combined program would always be rejected as a separate
    /// program too.
    pub const fn rejection_is_final(self) -> bool {
        matches!(self, MutantLanguage::Go)
    }

    pub(super) const fn combination(self) -> Combination {
        match self {
            MutantLanguage::Rust | MutantLanguage::C | MutantLanguage::Cpp | MutantLanguage::Java => {
                Combination::Switches
            }
            MutantLanguage::Go => Combination::FunctionCopies,
            MutantLanguage::Python | MutantLanguage::JavaScript => Combination::Patches,
        }
    }

    /// Returns whether the language is C or C++.
    pub(super) const fn is_c_or_cpp(self) -> bool {
        matches!(self, MutantLanguage::C | MutantLanguage::Cpp)
    }

    /// Returns the literals for false and true, in this order.
    pub(super) const fn truths(self) -> [&'static str; 2] {
        match self {
            // In C, `false` and `true` require a header.
            MutantLanguage::C => ["0", "1"],
            MutantLanguage::Python => ["False", "True"],
            _ => ["false", "true"],
        }
    }

    /// Returns a statement without effect, which is the empty string in Go.
    pub(super) const fn nothing(self) -> &'static str {
        match self {
            MutantLanguage::Python => "pass",
            MutantLanguage::Go => "",
            _ => ";",
        }
    }

    /// Returns the negation of a condition.
    pub(super) fn negated(self, condition: &str) -> String {
        match self {
            MutantLanguage::Python => format!("not ({condition})"),
            _ => format!("!({condition})"),
        }
    }
}
