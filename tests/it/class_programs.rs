//! The programs of the students in tests of grading.

/// A program in C that prints the value of an expression for a number `n`. Most programs of the class are in C, since a
/// program in Python takes twenty times as long to start.
macro_rules! of_number {
    ($what:literal) => {
        concat!(
            "#include <stdio.h>\n#include <stdlib.h>\n",
            "int main(void) { int n; scanf(\"%d\", &n); printf(\"%d\\n\", ",
            $what,
            "); }\n"
        )
    };
}
pub(crate) use of_number;
