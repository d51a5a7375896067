// Finds source positions in the output of a compiler.

const SEVERITY = { warning: "warning", note: "info", hint: "info" };

// Each pattern matches a whole line and has the group `line`, and optionally `column`, `kind` and `message`.
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
 * Returns the errors in the output of a compiler.
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

/** Returns the column of the markers (`^`) below the code that follows a position; `undefined` if there are none. */
function marked(lines, at) {
  const marks = lines.slice(at + 2, at + 3).find((line) => /^ *[\^~]+/.test(line));
  const code = lines[at + 1] ?? "";
  if (marks === undefined || code.trim() === "") return undefined;
  // CPython changes the indentation of the code, so the editor then marks the whole line.
  return /^ {4}/.test(code) ? undefined : marks.search(/[\^~]/) + 1;
}

/** Returns the message of a position whose line contains none. */
function near(lines, at) {
  const message = /^(?:\w*(?:Error|Exception|error)(?:\[\w+\])?|Error|warning): *(.+)$/;
  const before = message.exec(lines[at - 1] ?? "");
  if (before) return before[0];
  const after = lines.slice(at + 1, at + 8).find((line) => message.test(line));
  return after ?? "The compiler reports an error here";
}
