//! The rules of a problem for the programs that are submitted to it.

use crate::model::ByteSize;

use super::build_context::BuildError;
use super::java::JavaOutline;
use super::language::{EntryPoint, Keep, Language};

/// The rules of a problem for the programs that are submitted to it, in addition to its limits. The default has no rule.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ProgramRules {
    /// Size by which the address space of a process may exceed the memory limit. If it is `None`, memory that a program
    /// reserves but does not use is not limited. The rule applies only to compiled programs, and not to languages whose
    /// run-time systems reserve more memory than they use.
    pub address_space_excess: Option<ByteSize>,
    /// Whether the memory limit also applies to the resident set of each process, which includes mapped files such as
    /// shared libraries. The rule does not apply to the Java virtual machine, which limits its own heap.
    pub limit_resident: bool,
    /// Whether a Java program must declare a public type and no package. This type is started, even if another one has a
    /// `main` method or none has.
    pub public_java_class: bool,
    /// The binary names of classes of the library that a Java program cannot load, such as `java/math/BigInteger`. Its run
    /// fails with an exception when it uses one of them.
    pub forbidden_java_classes: &'static [&'static str],
}

impl ProgramRules {
    /// Returns the rules that apply to programs in this language.
    pub(super) fn in_language(self, language: &Language) -> ProgramRules {
        let is_java = language.entry == EntryPoint::Java;
        let is_bounded = language.bound_address_space && language.keep == Keep::Output;
        ProgramRules {
            address_space_excess: self.address_space_excess.filter(|_| is_bounded),
            limit_resident: self.limit_resident && !language.runs_on_java(),
            public_java_class: self.public_java_class && is_java,
            forbidden_java_classes: if is_java { self.forbidden_java_classes } else { &[] },
        }
    }

    /// Returns the rules as a part of a digest; empty if there is no rule.
    pub(super) fn digest_part(&self) -> Vec<u8> {
        if *self == ProgramRules::default() {
            return Vec::new();
        }
        let excess = self.address_space_excess.map_or(u64::MAX, ByteSize::get).to_le_bytes();
        let classes = self.forbidden_java_classes.join("\n");
        let flags = [self.limit_resident.into(), self.public_java_class.into()];
        excess.into_iter().chain(flags).chain(classes.into_bytes()).collect()
    }

    /// Checks a Java program whose entry file has this outline.
    ///
    /// # Errors
    /// Returns an error that describes the rule that the program violates.
    pub(super) fn check_java(&self, outline: &JavaOutline) -> Result<(), BuildError> {
        if self.public_java_class && !outline.package.is_empty() {
            let package = outline.package.replace('/', ".");
            let message = format!("the problem does not allow packages; remove the line `package {package};`");
            return Err(BuildError::refused(message));
        }
        if self.public_java_class && outline.public().is_none() {
            return Err(BuildError::refused("the problem requires a public class".to_owned()));
        }
        Ok(())
    }
}
