"""Graders of DMOJ that communicate with the submission, which is connected to the standard streams."""

import os
import sys
import types

from dmoj.result import CheckerResult
from dmoj.utils.unicode import utf8bytes, utf8text

LONGEST_NUMBER = 10000
SHOWN = 5


class WrongAnswer(BaseException):
    """Ends the communication, because the submission is wrong."""


class Interactor:
    """Reads the output of the submission, and writes its input."""

    def __init__(self, process):
        self.process = process
        self._rest = None

    def _received(self, text):
        if not text:
            raise IOError("the submission closed its output")
        return text

    def read(self):
        return self._received(self.process.stdout.read())

    def readln(self, strip_newline=True):
        line = self._received(self.process.stdout.readline())
        return line.rstrip() if strip_newline else line

    def readtoken(self, delim=None):
        parts = (self._rest or self.readln()).split(delim, 1)
        self._rest = parts[1] if len(parts) == 2 else None
        return parts[0] if parts else b""

    def _number(self, kind, name, lo, hi, delim, shown):
        token = self.readtoken(delim)
        if len(token) > LONGEST_NUMBER:
            raise WrongAnswer("%s is too long" % name[1])
        try:
            number = kind(token)
        except ValueError:
            text = utf8text(token, "replace")
            text = text[:SHOWN] + "..." if len(text) > SHOWN else text
            raise WrongAnswer('expected %s, got "%s"' % (name[0], text)) from None
        if not lo <= number <= hi:
            raise WrongAnswer(("expected %s in range [" + shown + ", " + shown + "], got %s") % (name[0], lo, hi, number))
        return number

    def readint(self, lo=float("-inf"), hi=float("inf"), delim=None):
        return self._number(int, ("int", "integer"), lo, hi, delim, "%.0f")

    def readfloat(self, lo=float("-inf"), hi=float("inf"), delim=None):
        return self._number(float, ("float", "float"), lo, hi, delim, "%.2f")

    def write(self, val):
        self.process.stdin.write(utf8bytes(str(val)))
        self.process.stdin.flush()

    def writeln(self, val):
        self.write(str(val) + "\n")

    def close(self):
        self.process.stdin.close()


class InteractiveGrader:
    def __init__(self, judge, problem, language, source):
        self.judge = judge
        self.problem = problem
        self.language = language
        self.source = source

    def interact(self, case, interactor):
        raise NotImplementedError


def hold(grader, case):
    """Runs a grader, and returns its result."""
    process = types.SimpleNamespace(stdin=os.fdopen(os.dup(1), "wb"), stdout=os.fdopen(os.dup(0), "rb"))
    # The submission must not receive what a grader prints, so this output goes to standard error.
    os.dup2(2, 1)
    interactor = Interactor(process)
    try:
        result = grader.interact(case, interactor)
        interactor.close()
    except WrongAnswer as wrong:
        result = CheckerResult(False, 0, str(wrong))
    except IOError:
        result = False
    return result
