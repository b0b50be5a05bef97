"""Means, standard errors and tables."""


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
