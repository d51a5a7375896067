//! The lexical syntax of programming languages for [`lex`](super::lex), one row per language.

/// The delimiters of a string or character literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quote {
    /// The opening delimiter, including its prefix.
    pub open: &'static str,
    /// The closing delimiter.
    pub close: &'static str,
    /// Whether a backslash escapes the next character.
    pub escapes: bool,
    /// Whether the literal may contain line breaks. Otherwise, an unclosed literal ends at the end of its line.
    pub multiline: bool,
}

/// The separator of statements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Separator {
    /// A semicolon.
    Semicolon,
    /// A line break outside brackets.
    LineBreak,
    /// A semicolon or a line break, at the programmer's choice. A comparison of programs ignores both.
    Optional,
}

/// The lexical syntax of a language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Syntax {
    /// Number of the family of languages whose tokens have the same meaning.
    pub family: u16,
    /// File name extensions, without the dot.
    pub extensions: &'static [&'static str],
    /// Prefixes of comments that extend to the end of the line.
    pub line_comments: &'static [&'static str],
    /// Opening and closing delimiters of other comments.
    pub block_comments: &'static [(&'static str, &'static str)],
    /// Whether block comments nest.
    pub nested_comments: bool,
    /// The delimiters of string and character literals. If several match at a position, the first is used.
    pub quotes: &'static [Quote],
    /// Characters that can precede a string, as in `rb"…"`.
    pub prefixes: &'static str,
    /// Whether `'` begins a character only if another `'` follows after one character or escape. Otherwise it is a sign
    /// or part of a name: a lifetime in Rust, a prime in Haskell and OCaml.
    pub char_quotes: bool,
    /// Whether the language has raw strings delimited as in Rust (`r#"…"#`) or C++ (`R"x(…)x"`).
    pub raw_strings: bool,
    /// Directives that are lexed as one keyword up to the end of the line, such as `#include <vector>`.
    pub directives: &'static [&'static str],
    /// Characters that can be part of names, in addition to letters, digits and `_`.
    pub in_names: &'static [char],
    /// Whether keywords are case-insensitive.
    pub ignores_case: bool,
    /// The separator of statements.
    pub separator: Separator,
    /// Whether the condition of an `if` or a loop is in parentheses, and its body may be a statement without braces.
    pub parenthesized_heads: bool,
    /// Keywords, separated by spaces.
    pub keywords: &'static str,
    /// Names of basic types and keywords of declarations, such as `static`, `public` and `var`, separated by spaces. A
    /// comparison of programs treats all of them as equal.
    pub types: &'static str,
}

impl Syntax {
    /// Returns the syntax of files with this extension (without the dot), or a generic syntax for an unknown extension.
    pub fn of_extension(extension: &str) -> &'static Syntax {
        ROWS.iter().find(|row| row.extensions.contains(&extension)).unwrap_or(&UNKNOWN)
    }

    /// Returns whether files with this extension (without the dot) are C or C++, headers included.
    pub fn is_c_or_cpp(extension: &str) -> bool {
        Syntax::of_extension(extension).directives.contains(&"#include")
    }

    /// Returns all rows of the table.
    #[cfg(test)]
    pub(super) fn all() -> &'static [Syntax] {
        ROWS
    }
}

const fn one_line(quote: &'static str) -> Quote {
    Quote { open: quote, close: quote, escapes: true, multiline: false }
}

const fn multiline(quote: &'static str) -> Quote {
    Quote { open: quote, close: quote, escapes: true, multiline: true }
}

const fn verbatim(open: &'static str, close: &'static str) -> Quote {
    Quote { open, close, escapes: false, multiline: true }
}

/// The syntax of files with an unknown extension.
const UNKNOWN: Syntax = Syntax {
    family: 0,
    extensions: &[],
    line_comments: &["//"],
    block_comments: &[("/*", "*/")],
    nested_comments: false,
    quotes: &[one_line("\""), one_line("'"), multiline("`")],
    prefixes: "",
    char_quotes: false,
    raw_strings: false,
    directives: &[],
    in_names: &[],
    ignores_case: false,
    separator: Separator::Semicolon,
    parenthesized_heads: false,
    keywords: "abstract and as async await auto begin bool boolean break byte case catch char class const continue def \
        default defer delete do double elif else elseif elsif end enum except export extends false final finally float \
        fn for foreach from fun func function global goto if impl implements import in include int interface is let \
        local long loop match mod module mut namespace new nil not null of operator or package pass private procedure \
        protected public raise range record repeat return self short static string struct super switch template then \
        this throw trait true try type typedef union unless unsigned until use using val var virtual void volatile \
        when where while with yield",
    types: "",
};

/// The syntax of languages with comments from `#` to the end of the line.
const HASH: Syntax = Syntax {
    line_comments: &["#"],
    block_comments: &[],
    quotes: &[one_line("\""), one_line("'")],
    separator: Separator::LineBreak,
    ..UNKNOWN
};

/// The languages that have their own rows. C is lexed as C++, so that a program that was copied between C and C++ is
/// recognized as a copy.
static ROWS: &[Syntax] = &[
    Syntax {
        family: 1,
        extensions: &["rs"],
        nested_comments: true,
        quotes: &[multiline("\"")],
        prefixes: "bc",
        char_quotes: true,
        raw_strings: true,
        keywords: "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match \
            mod move mut pub ref return self Self static struct super trait true type unsafe use where while",
        types: "bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize String",
        ..UNKNOWN
    },
    Syntax {
        family: 2,
        parenthesized_heads: true,
        extensions: &["c", "h", "cpp", "cc", "cxx", "c++", "C", "hpp", "hh", "hxx", "ipp"],
        quotes: &[one_line("\""), one_line("'")],
        prefixes: "LuU8",
        raw_strings: true,
        directives: &["#include", "#pragma", "#import"],
        keywords: "#define #elif #else #endif #error #if #ifdef #ifndef #undef alignas alignof and asm break case catch \
            class co_await co_return co_yield concept const_cast continue decltype default delete do dynamic_cast else \
            enum explicit export extern false final for friend goto if namespace new noexcept not NULL nullptr operator or \
            override private protected public reinterpret_cast requires return sizeof static_assert static_cast struct \
            switch template this throw true try typedef typeid typename union using virtual while xor",
        types: "auto bool char char16_t char32_t char8_t const consteval constexpr constinit double float inline int \
            int8_t int16_t int32_t int64_t intptr_t long mutable ptrdiff_t register restrict short signed size_t ssize_t \
            static string thread_local uint8_t uint16_t uint32_t uint64_t uintptr_t unsigned void volatile __int128",
        ..UNKNOWN
    },
    Syntax {
        family: 3,
        extensions: &["py", "py3", "pyx"],
        quotes: &[multiline("\"\"\""), multiline("'''"), one_line("\""), one_line("'")],
        prefixes: "bBfFrRuU",
        keywords: "and as assert async await break class continue def del elif else except False finally for from global \
            if import in is lambda None nonlocal not or pass raise return True try while with yield",
        ..HASH
    },
    Syntax {
        family: 4,
        parenthesized_heads: true,
        extensions: &["java"],
        quotes: &[multiline("\"\"\""), one_line("\""), one_line("'")],
        keywords: "assert break case catch class continue default do else enum extends false finally for if implements \
            import instanceof interface new null package permits record return sealed super switch synchronized this \
            throw throws true try while yield",
        types: "abstract boolean byte char double final float int long native private protected public short static \
            strictfp transient var void volatile String Integer Long",
        ..UNKNOWN
    },
    Syntax {
        family: 5,
        parenthesized_heads: true,
        extensions: &["js", "mjs", "cjs", "ts"],
        separator: Separator::Optional,
        keywords: "async await break case catch class continue debugger default delete do else export extends false \
            finally for from function get if import in instanceof new null of return set static super switch this throw \
            true try typeof undefined void while with yield",
        types: "const let var",
        ..UNKNOWN
    },
    Syntax {
        family: 6,
        extensions: &["go"],
        quotes: &[one_line("\""), one_line("'"), verbatim("`", "`")],
        separator: Separator::Optional,
        keywords: "break case chan const continue default defer else fallthrough false for func go goto if import \
            interface map nil package range return select struct switch true type var",
        types: "bool byte complex128 complex64 error float32 float64 int int16 int32 int64 int8 rune string uint uint16 \
            uint32 uint64 uint8 uintptr",
        ..UNKNOWN
    },
    Syntax {
        family: 7,
        parenthesized_heads: true,
        extensions: &["cs"],
        quotes: &[verbatim("@\"", "\""), one_line("\""), one_line("'")],
        keywords: "as async await base break case catch checked class continue default delegate do else enum event \
            explicit extern false finally fixed for foreach get goto if implicit in interface internal is lock namespace \
            new null operator out override params ref return sealed set sizeof stackalloc struct switch this throw true \
            try typeof unchecked unsafe using virtual where while yield",
        types: "abstract bool byte char const decimal double dynamic float int long object private protected public \
            readonly sbyte short static string uint ulong ushort var void volatile",
        ..UNKNOWN
    },
    Syntax {
        family: 8,
        parenthesized_heads: true,
        extensions: &["kt", "kts", "scala", "swift", "groovy"],
        nested_comments: true,
        quotes: &[verbatim("\"\"\"", "\"\"\""), one_line("\""), one_line("'")],
        separator: Separator::Optional,
        keywords: "abstract as break by case catch class companion continue data def do else enum extends false final \
            finally for fun func guard if implements import in init inline inner interface internal is it lateinit let \
            match new nil null object open operator out override package private protected public repeat return sealed \
            static struct super suspend switch this throw trait true try type when where while with yield",
        types: "Boolean Byte Char Double Float Int Long Short String Unit val var",
        ..UNKNOWN
    },
    Syntax {
        family: 9,
        extensions: &["hs", "lhs", "elm"],
        line_comments: &["--"],
        block_comments: &[("{-", "-}")],
        nested_comments: true,
        quotes: &[one_line("\"")],
        char_quotes: true,
        in_names: &['\''],
        separator: Separator::LineBreak,
        keywords: "as case class data default deriving do else foldr forall foreign hiding if import in infix infixl \
            infixr instance let mdo module newtype of otherwise qualified then type where",
        ..UNKNOWN
    },
    Syntax {
        family: 10,
        extensions: &["ml", "mli", "fs", "fsx"],
        line_comments: &[],
        block_comments: &[("(*", "*)")],
        nested_comments: true,
        quotes: &[multiline("\"")],
        char_quotes: true,
        in_names: &['\''],
        separator: Separator::LineBreak,
        keywords: "and as asr assert begin class constraint do done downto else end exception external false for fun \
            function functor if in include inherit initializer land lazy let lor lsl lsr lxor match method mod module \
            mutable new nonrec object of open or private rec sig struct then to true try type val virtual when while with",
        ..UNKNOWN
    },
    Syntax {
        family: 11,
        extensions: &["pas", "pp", "p", "dpr"],
        block_comments: &[("(*", "*)"), ("{", "}")],
        quotes: &[Quote { open: "'", close: "'", escapes: false, multiline: false }],
        ignores_case: true,
        keywords: "and array as asm begin break case class const constructor continue destructor div do downto else end \
            except exit false file finally for function goto if implementation in inherited inline interface is label mod \
            nil not object of on operator or packed procedure program property raise record repeat set shl shr then to \
            true try type unit until uses var while with xor",
        types: "ansistring boolean byte cardinal char double extended int64 integer longint longword qword real shortint \
            shortstring single smallint string word",
        ..UNKNOWN
    },
    Syntax {
        family: 12,
        extensions: &["rb", "cr"],
        block_comments: &[("=begin", "=end")],
        in_names: &['@', '$', '?'],
        keywords: "alias and begin BEGIN break case class def defined? do else elsif end END ensure false for if in loop \
            module next nil not or redo require rescue retry return self super then true undef unless until when while \
            yield",
        ..HASH
    },
    Syntax {
        family: 13,
        extensions: &["lua"],
        line_comments: &["--"],
        block_comments: &[("--[[", "]]")],
        quotes: &[verbatim("[[", "]]"), one_line("\""), one_line("'")],
        separator: Separator::LineBreak,
        keywords: "and break do else elseif end false for function goto if in local nil not or repeat return then true \
            until while",
        ..UNKNOWN
    },
    Syntax {
        family: 14,
        extensions: &["pl", "pm"],
        quotes: &[multiline("\""), multiline("'")],
        in_names: &['$', '@'],
        separator: Separator::Semicolon,
        keywords: "and cmp do else elsif eq foreach for ge given gt if last le local lt map my ne next no not or our \
            package print redo require return say sub unless until use while xor",
        ..HASH
    },
    Syntax { family: 15, extensions: &["sh", "bash", "awk", "tcl", "r", "R", "jl", "ex", "exs", "nim"], ..HASH },
    Syntax {
        family: 16,
        extensions: &["sql", "adb", "ads"],
        line_comments: &["--"],
        quotes: &[one_line("\""), one_line("'")],
        ignores_case: true,
        ..UNKNOWN
    },
    Syntax {
        family: 17,
        extensions: &["lisp", "cl", "scm", "rkt", "clj"],
        line_comments: &[";"],
        block_comments: &[("#|", "|#")],
        separator: Separator::Optional,
        quotes: &[multiline("\"")],
        in_names: &['-', '?', '!'],
        keywords: "begin case cond def define defmacro defn defun defvar do dolist dotimes else fn format if lambda let \
            letrec loop nil not or and progn quote recur setf setq when unless",
        ..UNKNOWN
    },
    Syntax {
        family: 18,
        extensions: &["erl", "m", "prolog"],
        line_comments: &["%"],
        block_comments: &[],
        separator: Separator::Optional,
        quotes: &[one_line("\"")],
        ..UNKNOWN
    },
    Syntax {
        family: 19,
        extensions: &["f", "f77", "f90", "f95", "f03", "f08"],
        line_comments: &["!"],
        block_comments: &[],
        quotes: &[one_line("\""), one_line("'")],
        ignores_case: true,
        separator: Separator::LineBreak,
        keywords: "allocatable allocate call case character close complex contains continue cycle deallocate dimension do \
            double else elseif end enddo endif exit function goto if implicit in inout integer intent interface intrinsic \
            logical module none open out parameter precision print program pure read real recursive result return save \
            select stop subroutine then type use where while write",
        ..UNKNOWN
    },
];
