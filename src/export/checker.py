import math
import re
from collections import Counter

NUMBER = re.compile(rb"[+-]?([0-9]*\.[0-9]+|[0-9]+\.?)([eE][+-]?[0-9]+)?")
SPACE = b" \t\n\v\f\r"


def lines(text):
    return [line.rstrip(SPACE) for line in text.split(b"\n")]


def number(token):
    if not NUMBER.fullmatch(token):
        return None
    value = float(token)
    return value if math.isfinite(value) else None


def close(expected, actual):
    if expected == actual:
        return True
    a, b = number(expected), number(actual)
    if a is None or b is None:
        return False
    return a == b or abs(a - b) <= ABSOLUTE or abs(a - b) <= RELATIVE * abs(a)


def same(expected, actual):
    if FOLD_CASE:
        expected, actual = expected.lower(), actual.lower()
    if RULE == "exact":
        return expected == actual
    if RULE == "lines":
        return b"\n".join(lines(expected)).rstrip(b"\n") == b"\n".join(lines(actual)).rstrip(b"\n")
    if RULE == "unordered":
        return Counter(filter(None, lines(expected))) == Counter(filter(None, lines(actual)))
    a, b = expected.split(), actual.split()
    if RULE == "numbers":
        return len(a) == len(b) and all(map(close, a, b))
    return a == b


def check(process_output, judge_output, **kwargs):
    return same(judge_output, process_output)
