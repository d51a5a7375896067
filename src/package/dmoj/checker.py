"""Judges an output as DMOJ does: by a built-in checker, or by a checker from the package.

Arguments: the input, the answer, the feedback folder, and the call as JSON. The output is read from standard input.
The exit code is 42 or 43, as for the validators of ICPC packages. Partial points are written to score.txt,
or as a fraction to score_multiplier.txt.
"""

import importlib.util
import json
import os
import re
import sys
import types
from collections import Counter

LINES = re.compile(rb"[\r\n]")
SPACE = re.compile(rb"\s")


class InternalError(Exception):
    pass


class CheckerResult:
    def __init__(self, passed, points, feedback=None, extended_feedback=None):
        self.passed = passed
        self.points = points
        self.feedback = feedback
        self.extended_feedback = extended_feedback


def utf8bytes(text):
    return text.encode("utf8", "surrogatepass") if isinstance(text, str) else text


def utf8text(text, errors="strict"):
    return text.decode("utf8", errors) if isinstance(text, bytes) else text


def pieces(pattern, text):
    """Splits a text at the separators and drops empty pieces."""
    return [piece for piece in pattern.split(text) if piece]


def standard(process_output, judge_output, **kwargs):
    def rows(text):
        return [row for row in (line.split() for line in LINES.split(text)) if row]

    return rows(process_output) == rows(judge_output)


def easy(process_output, judge_output, **kwargs):
    def letters(text):
        return Counter(SPACE.sub(b"", text).lower())

    return letters(process_output) == letters(judge_output)


def identical(process_output, judge_output, pe_allowed=True, **kwargs):
    same = process_output == judge_output
    spaced = pe_allowed and not same and standard(process_output, judge_output)
    return CheckerResult(same, kwargs["point_value"] if same else 0, "only the white space differs" if spaced else None)


def near(mode, epsilon):
    """Returns a function that compares a number with the expected one. No number is close to `nan`."""

    def absolute(actual, expected):
        return abs(actual - expected) <= epsilon

    def relative(actual, expected):
        ends = (expected * (1 - epsilon), expected * (1 + epsilon))
        return min(ends) <= actual <= max(ends)

    def either(actual, expected):
        if absolute(actual, expected):
            return True
        return abs(expected) >= epsilon and abs(1.0 - actual / expected) <= epsilon

    modes = {"absolute": absolute, "relative": relative, "default": either}
    if mode not in modes:
        raise InternalError("floats has no error_mode " + repr(mode))
    return modes[mode]


def floats(process_output, judge_output, precision=6, error_mode="default", **kwargs):
    close = near(error_mode, 10 ** -int(precision))

    def good(actual, expected):
        try:
            number = float(expected)
        except ValueError:
            return actual == expected
        try:
            return close(float(actual), number)
        except (ValueError, ArithmeticError):
            return False

    outputs, answers = (
        [line.split() for line in pieces(LINES, text)] for text in (process_output, judge_output)
    )
    if [len(row) for row in outputs] != [len(row) for row in answers]:
        return False
    return all(good(one, other) for row, wanted in zip(outputs, answers) for one, other in zip(row, wanted))


def floatsabs(process_output, judge_output, **kwargs):
    return floats(process_output, judge_output, **{**kwargs, "error_mode": "absolute"})


def floatsrel(process_output, judge_output, **kwargs):
    return floats(process_output, judge_output, **{**kwargs, "error_mode": "relative"})


def linecount(process_output, judge_output, point_value, **kwargs):
    outputs, answers = pieces(LINES, process_output), pieces(LINES, judge_output)
    if len(outputs) > len(answers):
        return False
    if not answers:
        return True
    right = sum(one.strip() == other.strip() for one, other in zip(outputs, answers))
    words = "%d of %d lines are right" % (right, len(answers))
    return CheckerResult(right == len(answers), point_value * right / len(answers), words)


def linematches(
    process_output, judge_output, point_value=1, point_distribution=(1,), filler_lines_required=True, **kwargs
):
    outputs, answers = pieces(LINES, process_output), pieces(LINES, judge_output)
    if len(answers) != len(point_distribution) or sum(point_distribution) == 0:
        raise InternalError("linematches: point_distribution does not fit the lines of the answer")
    if filler_lines_required and len(outputs) != len(answers):
        return False
    rows = zip(outputs, answers, point_distribution)
    points = sum(worth for one, other, worth in rows if one == other)
    return CheckerResult(points > 0, point_value * points / sum(point_distribution))


def rstripped(process_output, judge_output, filter_new_line=False, **kwargs):
    outputs, answers = (
        pieces(LINES, text) if filter_new_line else LINES.split(text) for text in (process_output, judge_output)
    )
    return [line.rstrip() for line in outputs] == [line.rstrip() for line in answers]


def sorted_checker(process_output, judge_output, split_on="lines", **kwargs):
    if split_on not in ("lines", "whitespace"):
        raise InternalError("sorted has no split_on " + repr(split_on))

    def parts(text):
        if split_on == "whitespace":
            return sorted(pieces(SPACE, text))
        return sorted(line.split() for line in pieces(LINES, text))

    return parts(process_output) == parts(judge_output)


def unordered(process_output, judge_output, **kwargs):
    return sorted_checker(process_output, judge_output, **{**kwargs, "split_on": "whitespace"})


CHECKERS = {
    "easy": easy,
    "floats": floats,
    "floatsabs": floatsabs,
    "floatsrel": floatsrel,
    "identical": identical,
    "linecount": linecount,
    "linematches": linematches,
    "rstripped": rstripped,
    "sorted": sorted_checker,
    "standard": standard,
    "unordered": unordered,
}


def provide(name, **content):
    """Defines a module that checkers of packages may import."""
    module = types.ModuleType(name)
    module.__path__ = []
    module.__dict__.update(content)
    sys.modules[name] = module
    return module


def provide_all():
    provide("dmoj")
    provide("dmoj.result", CheckerResult=CheckerResult)
    provide("dmoj.error", InternalError=InternalError)
    provide("dmoj.utils")
    provide("dmoj.utils.unicode", utf8bytes=utf8bytes, utf8text=utf8text)
    each = {name: provide("dmoj.checkers." + name, check=check) for name, check in CHECKERS.items()}
    provide("dmoj.checkers", CheckerResult=CheckerResult, **each)


def custom(name):
    """Loads the checker from a file in the same folder."""
    provide_all()
    place = os.path.join(os.path.dirname(os.path.abspath(__file__)), name)
    spec = importlib.util.spec_from_file_location("package_checker", place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.check


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(feedback, name, text):
    with open(os.path.join(feedback, name), "w", encoding="utf8", errors="replace") as file:
        file.write(text)


def main():
    source, answer, feedback, call = sys.argv[1:5]
    call = json.loads(call)
    judge_input = read(source)
    full = call["point_value"]
    given = {
        "judge_input": judge_input,
        "point_value": full,
        "case_position": call["case_position"],
        "batch": call["batch"],
        "problem_id": call["problem_id"],
        "binary_data": call["binary_data"],
        "case": types.SimpleNamespace(
            input_data=lambda: judge_input,
            points=full,
            position=call["case_position"],
            batch=call["batch"],
            has_binary_data=call["binary_data"],
        ),
    }
    check = custom(call["file"]) if "file" in call else CHECKERS[call["name"]]
    try:
        result = check(sys.stdin.buffer.read(), read(answer), **{**given, **call["args"]})
    except UnicodeDecodeError:
        result = CheckerResult(False, 0, "the output is not UTF-8")
    if not hasattr(result, "passed"):
        result = CheckerResult(bool(result), full if result else 0)
    words = "\n".join(utf8text(text, "replace") for text in (result.feedback, result.extended_feedback) if text)
    if words:
        write(feedback, "judgemessage.txt", words)
    points = min(max(result.points, 0), full)
    if result.passed:
        # A correct output may earn only a part of the points.
        if points < full:
            write(feedback, "score.txt", "%.6f" % points)
    elif points > 0:
        # A wrong output never earns all points.
        write(feedback, "score_multiplier.txt", "%.6f" % min(points / full, 0.999999))
    else:
        sys.exit(43)
    sys.exit(42)


main()
