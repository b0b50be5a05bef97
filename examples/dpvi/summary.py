"""Means, standard errors, tables and lines."""
from lib import svg


def mean_and_error(values):
    """The mean and its standard error; without one if there is a single value."""
    n = len(values)
    mean = sum(values) / n
    if n < 2:
        return mean, 0.0
    return mean, (sum((v - mean) ** 2 for v in values) / (n - 1) / n) ** 0.5


def markdown(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(str(word) for word in line) + " |\n" for line in lines)


def line(name, found):
    """A line of a chart; `found` has the values of all repeats for each epsilon."""
    points = [(epsilon, *mean_and_error(values)) for epsilon, values in found.items() if epsilon is not None]
    return svg.series(name, [p[0] for p in points], [p[1] for p in points],
                      [(mean - error, mean + error) for _, mean, error in points])
