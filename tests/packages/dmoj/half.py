from dmoj.result import CheckerResult


def check(process_output, judge_output, judge_input, point_value, **kwargs):
    """Half of the points for a number that is right up to its sign."""
    assert 2 * int(judge_input) == int(judge_output)
    if process_output.split() == judge_output.split():
        return True
    return CheckerResult(process_output.strip(b"-\n") == judge_output.strip(), point_value / 2, "the sign is wrong")
