//! The common vocabulary of programming languages: maps keywords, operators and library functions to steps that are the
//! same in all languages. Words that depend only on the language or on style (types, casts, streams, containers) have
//! no steps.

/// A step of a program, the unit of comparison. The steps within a part of a statement are sorted in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub(super) enum ProgramStep {
    Function,
    Loop,
    If,
    Order,
    Equal,
    Member,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Power,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
    Round,
    Absolute,
    Root,
    Gcd,
    LowerCase,
    CharClass,
    Call,
    Sort,
    Bisect,
    Reverse,
    Push,
    Pop,
    Assign,
    Write,
    Return,
    Break,
    Continue,
    Throw,
}

/// The role of a keyword at the beginning of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Head {
    /// Imports, and declarations of modules and types.
    Declaration,
    Function,
    Loop,
    /// A loop with its condition at the end.
    DoLoop,
    If,
    /// An `else` without a condition, or a block that only groups statements.
    Block,
    Return,
}

/// Returns the role of the keyword that begins a statement, or `None` if the word is not such a keyword.
pub(super) fn head(word: &str) -> Option<Head> {
    Some(match word {
        "import" | "from" | "using" | "use" | "package" | "namespace" | "typedef" | "mod" | "require" | "include"
        | "open" | "class" | "struct" | "interface" | "impl" | "enum" | "trait" | "record" | "template" | "module"
        | "type" | "union" | "extern" | "uses" | "program" | "global" | "nonlocal" | "friend" | "@" | "#define" => {
            Head::Declaration
        }
        "def" | "fn" | "func" | "fun" | "function" | "procedure" | "sub" => Head::Function,
        "for" | "foreach" | "while" | "until" => Head::Loop,
        "loop" | "do" | "repeat" => Head::DoLoop,
        "if" | "elif" | "elsif" | "elseif" | "unless" | "case" | "when" => Head::If,
        "else" | "try" | "finally" | "switch" | "match" | "select" | "default" | "with" | "unsafe" | "defer"
        | "begin" | "except" | "catch" | "public" | "private" | "protected" => Head::Block,
        "return" => Head::Return,
        _ => return None,
    })
}

/// Returns the steps of a keyword inside a statement.
pub(super) fn keyword(word: &str) -> &'static [ProgramStep] {
    match word {
        "for" | "while" => &[ProgramStep::Loop],
        "if" | "elif" | "and" | "or" | "unless" => &[ProgramStep::If],
        "in" | "In" => &[ProgramStep::Member],
        "is" => &[ProgramStep::Equal],
        "return" => &[ProgramStep::Return],
        "break" | "last" => &[ProgramStep::Break],
        "continue" | "next" => &[ProgramStep::Continue],
        "raise" | "throw" => &[ProgramStep::Throw],
        "mod" => &[ProgramStep::Remainder],
        "div" => &[ProgramStep::Divide],
        "xor" => &[ProgramStep::BitXor],
        "shl" => &[ProgramStep::ShiftLeft],
        "shr" => &[ProgramStep::ShiftRight],
        _ => &[],
    }
}

/// Returns the steps of an operator between two values.
pub(super) fn operator(sign: &str) -> &'static [ProgramStep] {
    match sign {
        "<" | ">" | "<=" | ">=" | "<=>" => &[ProgramStep::Order],
        "==" | "!=" | "===" | "!==" | "<>" | "~=" => &[ProgramStep::Equal],
        "+" => &[ProgramStep::Add],
        "-" => &[ProgramStep::Subtract],
        "*" => &[ProgramStep::Multiply],
        "/" | "//" => &[ProgramStep::Divide],
        "%" => &[ProgramStep::Remainder],
        "**" => &[ProgramStep::Power],
        "&" => &[ProgramStep::BitAnd],
        "|" => &[ProgramStep::BitOr],
        "^" => &[ProgramStep::BitXor],
        "<<" => &[ProgramStep::ShiftLeft],
        ">>" | ">>>" => &[ProgramStep::ShiftRight],
        "&&" | "||" | "?" => &[ProgramStep::If],
        "=" | ":=" | "<-" => &[ProgramStep::Assign],
        "++" => &[ProgramStep::Add, ProgramStep::Assign],
        "--" => &[ProgramStep::Subtract, ProgramStep::Assign],
        "+=" => &[ProgramStep::Add, ProgramStep::Assign],
        "-=" => &[ProgramStep::Subtract, ProgramStep::Assign],
        "*=" => &[ProgramStep::Multiply, ProgramStep::Assign],
        "/=" | "//=" => &[ProgramStep::Divide, ProgramStep::Assign],
        "%=" => &[ProgramStep::Remainder, ProgramStep::Assign],
        "**=" => &[ProgramStep::Power, ProgramStep::Assign],
        "&=" => &[ProgramStep::BitAnd, ProgramStep::Assign],
        "|=" => &[ProgramStep::BitOr, ProgramStep::Assign],
        "^=" => &[ProgramStep::BitXor, ProgramStep::Assign],
        "<<=" => &[ProgramStep::ShiftLeft, ProgramStep::Assign],
        ">>=" => &[ProgramStep::ShiftRight, ProgramStep::Assign],
        _ => &[],
    }
}

/// Returns the steps of a library function.
pub(super) fn function(name: &str) -> &'static [ProgramStep] {
    match name {
        "max" | "min" | "fmax" | "fmin" | "chmax" | "chmin" => &[ProgramStep::If, ProgramStep::Order],
        "sum" | "accumulate" | "reduce" | "fold" => &[ProgramStep::Loop, ProgramStep::Add, ProgramStep::Assign],
        "sort"
        | "sorted"
        | "qsort"
        | "stable_sort"
        | "sort_unstable"
        | "sort_by"
        | "sort_by_key"
        | "sort_unstable_by"
        | "sort_unstable_by_key"
        | "Sort"
        | "sortBy"
        | "sortWith"
        | "Slice"
        | "Ints" => &[ProgramStep::Sort],
        "push" | "push_back" | "push_front" | "emplace_back" | "emplace" | "append" | "appendleft" | "add"
        | "addLast" | "addFirst" | "offer" | "enqueue" | "insert" | "heappush" | "Add" | "Push" | "Enqueue"
        | "unshift" => &[ProgramStep::Push],
        "pop" | "pop_front" | "pop_back" | "popleft" | "poll" | "shift" | "pollFirst" | "pollLast" | "removeFirst"
        | "removeLast" | "dequeue" | "heappop" | "erase" | "remove" | "discard" | "delete" | "Pop" | "Dequeue" => {
            &[ProgramStep::Pop]
        }
        "count" | "contains" | "containsKey" | "contains_key" | "has" | "find" | "includes" | "indexOf" | "index"
        | "Contains" | "ContainsKey" | "getOrDefault" | "setdefault" => &[ProgramStep::Member],
        "put" | "set" => &[ProgramStep::Assign],
        "swap" => &[ProgramStep::Assign, ProgramStep::Assign],
        "reverse" | "reversed" | "rev" => &[ProgramStep::Reverse],
        "tolower" | "toLowerCase" | "lower" | "casefold" | "to_lowercase" | "to_ascii_lowercase" | "ToLower"
        | "toupper" | "toUpperCase" | "upper" | "to_uppercase" | "to_ascii_uppercase" | "ToUpper" => {
            &[ProgramStep::LowerCase]
        }
        "isalnum"
        | "isLetterOrDigit"
        | "is_alphanumeric"
        | "is_ascii_alphanumeric"
        | "isalpha"
        | "isLetter"
        | "is_alphabetic"
        | "is_ascii_alphabetic"
        | "IsLetter"
        | "isdigit"
        | "isDigit"
        | "is_numeric"
        | "is_ascii_digit"
        | "IsDigit"
        | "IsLetterOrDigit"
        | "isupper"
        | "islower"
        | "isspace" => &[ProgramStep::CharClass],
        "lower_bound" | "upper_bound" | "bisect_left" | "bisect_right" | "bisect" | "binarySearch"
        | "binary_search" | "partition_point" | "equal_range" | "Search" | "SearchInts" => &[ProgramStep::Bisect],
        "abs" | "fabs" | "llabs" | "Abs" => &[ProgramStep::Absolute],
        "pow" | "Pow" => &[ProgramStep::Power],
        "sqrt" | "isqrt" | "Sqrt" | "sqrtl" => &[ProgramStep::Root],
        "gcd" | "__gcd" | "std_gcd" => &[ProgramStep::Gcd],
        "floor" | "ceil" | "round" | "trunc" => &[ProgramStep::Round],
        "bitCount" | "__builtin_popcount" | "__builtin_popcountll" | "count_ones" | "popcount" | "bit_length" => {
            &[ProgramStep::BitAnd]
        }
        "exit" => &[ProgramStep::Return],
        _ => &[],
    }
}

/// Returns whether a word refers to a function, stream or class that reads input or converts it to values. The other
/// steps of a statement with such a word differ between languages.
pub(super) fn reads(word: &str, is_call: bool) -> bool {
    match word {
        "cin" | "stdin" | "Scanner" | "BufferedReader" | "InputStreamReader" | "StreamTokenizer"
        | "StringTokenizer" | "bufio" | "ifstream" | "readFileSync" | "sync_with_stdio" | "nval" => true,
        "scanf"
        | "fscanf"
        | "sscanf"
        | "getline"
        | "gets"
        | "fgets"
        | "getchar"
        | "input"
        | "raw_input"
        | "open"
        | "readline"
        | "readlines"
        | "read_line"
        | "read_to_string"
        | "read_to_end"
        | "read"
        | "readLine"
        | "ReadLine"
        | "next"
        | "nextInt"
        | "nextLong"
        | "nextDouble"
        | "nextLine"
        | "nextToken"
        | "nextBigInteger"
        | "parseInt"
        | "parseLong"
        | "parseDouble"
        | "parse"
        | "split"
        | "splitlines"
        | "split_whitespace"
        | "split_ascii_whitespace"
        | "split_once"
        | "Fscan"
        | "Scan"
        | "Scanln"
        | "Scanf"
        | "Fscanf"
        | "Sscanf"
        | "Split"
        | "Fields"
        | "Atoi"
        | "readln"
        | "lines"
        | "Text"
        | "setrecursionlimit"
        | "atoi"
        | "strtol" => is_call,
        _ => false,
    }
}

/// Returns whether a word refers to a function or stream that prints.
pub(super) fn writes(word: &str, is_call: bool) -> bool {
    match word {
        "cout" | "cerr" => true,
        "printf" | "fprintf" | "puts" | "putchar" | "fputs" | "print" | "println" | "log" | "eprintln" | "write"
        | "writeln" | "Println" | "Printf" | "Print" | "Fprintln" | "Fprintf" | "Fprint" | "WriteLine" | "Write"
        | "print_string" | "print_int" | "print_endline" | "putStrLn" | "echo" | "say" => is_call,
        _ => false,
    }
}

/// Returns whether a word creates, resizes or fills a container.
pub(super) fn allocates(word: &str) -> bool {
    matches!(
        word,
        "new"
            | "make"
            | "vec"
            | "malloc"
            | "calloc"
            | "Array"
            | "fill"
            | "dict"
            | "set"
            | "list"
            | "deque"
            | "defaultdict"
            | "bytearray"
            | "Vec"
            | "HashMap"
            | "BTreeMap"
            | "HashSet"
            | "BTreeSet"
            | "VecDeque"
            | "BinaryHeap"
            | "Map"
            | "Set"
            | "vector"
            | "String"
            | "with_capacity"
            | "clone"
            | "memset"
            | "resize"
            | "assign"
    )
}

/// Returns whether a word is the name of a standard container in C++. A declaration of such a container without a value
/// creates an empty container.
pub(super) fn is_container(word: &str) -> bool {
    matches!(
        word,
        "vector"
            | "map"
            | "set"
            | "unordered_map"
            | "unordered_set"
            | "multiset"
            | "queue"
            | "deque"
            | "stack"
            | "priority_queue"
            | "pair"
            | "array"
            | "list"
            | "bitset"
            | "tuple"
            | "string"
    )
}
