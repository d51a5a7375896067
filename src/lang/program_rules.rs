//! The rules of a problem for the programs that are submitted to it.

use crate::model::ByteSize;

use super::build_context::BuildError;
use super::classfile::ClassFile;
use super::java::JavaOutline;
use super::language::{EntryPoint, Language};

/// The rules of a problem for the programs that are submitted to it, in addition to its limits. The default has no rule.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ProgramRules {
    /// Size by which the address space of a process may exceed the memory limit. If it is `None`, memory that a program
    /// reserves but does not use is not limited. The rule does not apply to languages whose run-time systems reserve more
    /// memory than they use.
    pub address_space_excess: Option<ByteSize>,
    /// Whether a Java program must declare a public type and no package.
    pub public_java_class: bool,
    /// Whether Java programs must not use `java.math.BigInteger` and `java.math.BigDecimal`.
    pub no_java_big_numbers: bool,
}

impl ProgramRules {
    /// Returns the rules that apply to programs in this language.
    pub(super) fn in_language(self, language: &Language) -> ProgramRules {
        let is_java = language.entry == EntryPoint::Java;
        ProgramRules {
            address_space_excess: self.address_space_excess.filter(|_| language.bound_address_space),
            public_java_class: self.public_java_class && is_java,
            no_java_big_numbers: self.no_java_big_numbers && is_java,
        }
    }

    /// Returns the rules as a part of a digest; empty if there is no rule.
    pub(super) fn digest_part(&self) -> Vec<u8> {
        if *self == ProgramRules::default() {
            return Vec::new();
        }
        let excess = self.address_space_excess.map_or(u64::MAX, ByteSize::get).to_le_bytes();
        excess.into_iter().chain([self.public_java_class.into(), self.no_java_big_numbers.into()]).collect()
    }

    /// Checks a Java program whose entry file has this outline and from which the compiler created these classes.
    ///
    /// # Errors
    /// Returns an error that describes the rule that the program violates.
    pub(super) fn check_java(&self, outline: &JavaOutline, classes: &[ClassFile]) -> Result<(), BuildError> {
        if self.public_java_class && !outline.package.is_empty() {
            let package = outline.package.replace('/', ".");
            let message = format!("the problem does not allow packages; remove the line `package {package};`");
            return Err(BuildError::refused(message));
        }
        if self.public_java_class && outline.public().is_none() {
            return Err(BuildError::refused("the problem requires that the class with `main` is public".to_owned()));
        }
        let big = classes.iter().find_map(|class| class.big_number.as_deref());
        if let Some(name) = big.filter(|_| self.no_java_big_numbers) {
            return Err(BuildError::refused(format!("the problem does not allow `{}`", name.replace('/', "."))));
        }
        Ok(())
    }
}
