// Finds the positions in a compiler's output. No DOM.

const SEVERITY = { warning: "warning", note: "info", hint: "info" };

// Each pattern: the whole line, with the groups `line`, and where there are some `column`, `kind` and `message`.
const POSITIONS = [
  // gcc, clang, javac, kotlinc, ghc, go, ruby, luac: main.cpp:3:13: error: message
  /^(?:\S+: )?(?<file>[^\s:]+):(?<line>\d+):(?:(?<column>\d+):)? *(?:(?<kind>fatal error|error|warning|note)(?:\[[^\]]*\])?:)? *(?<message>.*)$/,
  // mcs, fpc: main.cs(3,13): error CS1002: message
  /^(?<file>[^\s(]+)\((?<line>\d+),(?<column>\d+)\):? *(?<kind>[Ee]rror|[Ww]arning|Fatal|Note|Hint)(?: \w+)?: *(?<message>.*)$/,
  // rustc: the message is on the line before
  /^ *--> (?<file>[^\s:]+):(?<line>\d+):(?<column>\d+)$/,
  // CPython, ocaml: the message follows
  /^ *File "(?<file>[^"]+)", line (?<line>\d+)(?:, characters (?<column>\d+)-\d+)?/,
  // node: the code, the marks and the message follow
  /^(?<file>\/?[^\s:]+\.[cm]?js):(?<line>\d+)$/,
  // perl
  /^(?<message>.*) at (?<file>\S+) line (?<line>\d+)[,.]/,
];

/**
 * The errors that a compiler's output names.
 *
 * @param {string} output
 * @returns {{line: number, column?: number, message: string, severity: string, at: number}[]} in order; `at` is the
 *   index of the output's line
 */
export function compileErrors(output) {
  const lines = output.split("\n");
  return lines.flatMap((text, at) => {
    const found = POSITIONS.map((pattern) => pattern.exec(text)?.groups).find(Boolean);
    if (!found) return [];
    const kind = found.kind?.toLowerCase();
    const column = found.column ? Number(found.column) : marked(lines, at);
    const message = found.message || near(lines, at);
    return [{ line: Number(found.line), ...(column && { column }), message, severity: SEVERITY[kind] ?? "error", at }];
  });
}

/** The column of the marks (`^`) under the code that follows a position; `undefined` if there are none. */
function marked(lines, at) {
  const marks = lines.slice(at + 2, at + 3).find((line) => /^ *[\^~]+/.test(line));
  const code = lines[at + 1] ?? "";
  if (marks === undefined || code.trim() === "") return undefined;
  // CPython shows the code with an indentation of its own: the editor then marks the whole line.
  return /^ {4}/.test(code) ? undefined : marks.search(/[\^~]/) + 1;
}

/** The message of a position that has none on its own line. */
function near(lines, at) {
  const message = /^(?:\w*(?:Error|Exception|error)(?:\[\w+\])?|Error|warning): *(.+)$/;
  const before = message.exec(lines[at - 1] ?? "");
  if (before) return before[0];
  const after = lines.slice(at + 1, at + 8).find((line) => message.test(line));
  return after ?? "The compiler reports an error here";
}
