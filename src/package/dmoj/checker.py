"""Judges an output as DMOJ does: by a built-in checker, by a checker from the package, or by a grader from the package
that communicates with the submission.

Arguments: the input, the answer, the feedback folder, and the call as JSON. The output is read from standard input.
The folder of the input also contains the source of the submission and data about its run, if they are known.
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


class Result:
    """The result of a run as DMOJ's judge passes it to a checker."""

    AC = 0
    WA = 1 << 0
    RTE = 1 << 1
    TLE = 1 << 2
    MLE = 1 << 3
    IR = 1 << 4
    SC = 1 << 5
    OLE = 1 << 6
    IE = 1 << 30
    CODE_DISPLAY_ORDER = ("IE", "TLE", "MLE", "OLE", "RTE", "IR", "WA", "SC")

    def __init__(
        self,
        case,
        result_flag=0,
        execution_time=0,
        wall_clock_time=0,
        max_memory=0,
        context_switches=(0, 0),
        runtime_version="",
        proc_output=b"",
        feedback="",
        extended_feedback="",
        points=0,
    ):
        self.case = case
        self.result_flag = result_flag
        self.execution_time = execution_time
        self.wall_clock_time = wall_clock_time
        self.max_memory = max_memory
        self.context_switches = context_switches
        self.runtime_version = runtime_version
        self.proc_output = proc_output
        self.feedback = feedback
        self.extended_feedback = extended_feedback
        self.points = points

    def readable_codes(self):
        return [code for code in self.CODE_DISPLAY_ORDER if self.result_flag & getattr(Result, code)] or ["AC"]

    def get_main_code(self):
        return getattr(Result, self.readable_codes()[0])

    @property
    def total_points(self):
        return self.case.points

    @property
    def output(self):
        return utf8text(self.proc_output[: self.case.output_prefix_length], "replace")


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
        raise InternalError("floats does not support the error_mode " + repr(mode))
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
    words = "%d of %d lines are correct" % (right, len(answers))
    return CheckerResult(right == len(answers), point_value * right / len(answers), words)


linecount.run_on_error = True


def linematches(
    process_output, judge_output, point_value=1, point_distribution=(1,), filler_lines_required=True, **kwargs
):
    outputs, answers = pieces(LINES, process_output), pieces(LINES, judge_output)
    if len(answers) != len(point_distribution) or sum(point_distribution) == 0:
        raise InternalError("linematches: point_distribution must have a value for each line, and a sum other than 0")
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
        raise InternalError("sorted does not support the split_on " + repr(split_on))

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
    provide("dmoj.result", CheckerResult=CheckerResult, Result=Result)
    provide("dmoj.error", InternalError=InternalError)
    provide("dmoj.utils")
    provide("dmoj.utils.unicode", utf8bytes=utf8bytes, utf8text=utf8text)
    each = {name: provide("dmoj.checkers." + name, check=check) for name, check in CHECKERS.items()}
    provide("dmoj.checkers", CheckerResult=CheckerResult, **each)


def custom(name):
    """Loads a module of the package from a file in the same folder."""
    provide_all()
    place = os.path.join(os.path.dirname(os.path.abspath(__file__)), name)
    spec = importlib.util.spec_from_file_location("package_checker", place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def dialogue(call, given):
    """Runs a grader from the package, which communicates with the submission, and returns its result."""
    provide_all()
    import nimatron_interactor as own

    names = {name: getattr(own, name) for name in ("InteractiveGrader", "Interactor", "WrongAnswer")}
    provide("dmoj.graders", InteractiveGrader=own.InteractiveGrader)
    provide("dmoj.graders.interactive", CheckerResult=CheckerResult, Result=Result, **names)
    grader = custom(call["grader"]).Grader
    grader = grader(None, given["case"].problem, given["submission_language"], given["submission_source"])
    return own.hold(grader, given["case"])


def read(path):
    with open(path, "rb") as file:
        return file.read()


def beside(folder, name, default):
    """Reads a file of the judge that exists only if a submission is judged."""
    path = os.path.join(folder, name)
    return read(path) if os.path.exists(path) else default


def keywords(call, texts, folder):
    """Returns the keyword arguments that DMOJ's judge passes to a checker. They take precedence over `args`."""
    run = json.loads(beside(folder, "run.json", b"{}"))
    case = types.SimpleNamespace(
        input_data=lambda: texts["input"],
        output_data=lambda: texts["answer"],
        points=call["point_value"],
        position=call["case_position"],
        batch=call["batch"],
        has_binary_data=call["binary_data"],
        output_prefix_length=64,
        problem=types.SimpleNamespace(
            id=call["problem_id"], time_limit=run.get("time_limit", 0), memory_limit=run.get("memory_limit", 0)
        ),
    )
    flag = getattr(Result, run.get("failure", "AC"))
    usage = {key: run.get(key, 0) for key in ("execution_time", "wall_clock_time", "max_memory")}
    return {
        "submission_source": beside(folder, "submission", b""),
        "judge_input": texts["input"],
        "point_value": call["point_value"],
        "case_position": call["case_position"],
        "batch": call["batch"],
        "submission_language": run.get("submission_language", ""),
        "binary_data": call["binary_data"],
        "execution_time": usage["execution_time"],
        "problem_id": call["problem_id"],
        "case": case,
        "result": Result(case, flag, proc_output=texts["output"], **usage),
    }


def write(feedback, name, text):
    with open(os.path.join(feedback, name), "w", encoding="utf8", errors="replace") as file:
        file.write(text)


def main():
    source, answer, feedback, call = sys.argv[1:5]
    call = json.loads(call)
    full = call["point_value"]
    output = b"" if "grader" in call else sys.stdin.buffer.read()
    texts = {"input": read(source), "output": output, "answer": read(answer)}
    given = keywords(call, texts, os.path.dirname(os.path.abspath(source)))
    try:
        if "grader" in call:
            result = dialogue(call, given)
        else:
            check = custom(call["file"]).check if "file" in call else CHECKERS[call["name"]]
            if given["result"].result_flag and not getattr(check, "run_on_error", False):
                sys.exit(43)
            result = check(texts["output"], texts["answer"], **{**call["args"], **given})
    except UnicodeDecodeError:
        result = CheckerResult(False, 0, "the output is not UTF-8")
    if not hasattr(result, "passed"):
        result = CheckerResult(bool(result), full if result else 0)
    words = "\n".join(utf8text(text, "replace") for text in (result.feedback, result.extended_feedback) if text)
    if words:
        write(feedback, "judgemessage.txt", words)
    points = min(max(result.points, 0), full)
    if given["result"].result_flag:
        # The run failed, so the output earns at most a share of the points.
        if not points > 0:
            sys.exit(43)
        write(feedback, "score_multiplier.txt", "%.6f" % (points / full))
    elif result.passed:
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
