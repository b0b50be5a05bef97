"""Medians over repeats. Rows begin with a model, an algorithm and a setting (epsilon, or a bound)."""
import math
import statistics

from figure import svg


def values(header, rows, key, column):
    """The finite values of a column, in rows that begin with `key`."""
    at = header.index(column)
    return [r[at] for r in rows if r[:len(key)] == list(key) and math.isfinite(r[at])]


def line(header, rows, model, algorithm, settings, column):
    """Settings that have values, their medians, and the smallest and largest: what svg.series draws."""
    found = {s: values(header, rows, (model, algorithm, s), column) for s in settings}
    kept = [s for s in settings if found[s]]
    return (kept, [statistics.median(found[s]) for s in kept], [(min(found[s]), max(found[s])) for s in kept])


def lines(header, rows, model, algorithms, settings, column):
    """A series for each algorithm; where there is one setting they stand side by side."""
    made = []
    for i, algorithm in enumerate(algorithms):
        kept, middle, spread = line(header, rows, model, algorithm, settings, column)
        aside = 0.1 * (i - (len(algorithms) - 1) / 2) if len(settings) == 1 else 0
        made.append(svg.series(algorithm, [s + aside for s in kept], middle, spread))
    return made


def words(header, rows, settings, column):
    """A line of markdown for each model and algorithm."""
    lines = []
    for model in dict.fromkeys(r[0] for r in rows):
        for algorithm in dict.fromkeys(r[1] for r in rows):
            kept, middle, _ = line(header, rows, model, algorithm, settings, column)
            if kept:
                lines.append(f"- {model}, {algorithm}: " + ", ".join(f"{m:.3f} at {s:g}" for s, m in zip(kept, middle)))
    return "\n".join(lines)
