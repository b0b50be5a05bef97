"""Seed 004, figure 5.1: test accuracy of logistic regression on Adult and Abalone, by DPVI and DP-SGLD, at delta = 1e-3."""
import os
import sys

from figure import HERE, Figure, by_size
from lib import runs, svg

sys.path.insert(0, os.path.join(HERE, "..", "dpvi"))
import classification  # noqa: E402
import data_sets  # noqa: E402
import summary  # noqa: E402

NAMES = by_size(["adult", "abalone"], ["adult", "abalone"], ["abalone"])
EPSILONS = by_size(classification.EPSILONS, classification.EPSILONS, [1])
REPEATS = int(os.environ.get("repeats", by_size(10, 2, 1)))


def panel(name, found):
    lines = [summary.line(algorithm, values) for algorithm, values in found.items()]
    return svg.panel(name.capitalize(), f"epsilon (delta = {classification.DELTA:g})", "test accuracy", lines, log_x=True,
                     level=(summary.mean_and_error(found["dp_meanfield"][None])[0], "not private"))


def main():
    try:
        sets = [data_sets.load(name) for name in NAMES]
    except data_sets.DataMissing as missing:
        print(f"dpvi_accuracy: left out. {missing}")
        return
    figure = Figure("dpvi_accuracy", __doc__)
    runs.make("stan_models/logistic_regression/model")
    results = {d.name: {a: classification.run_all(d, EPSILONS, REPEATS, classification.DELTA, figure.folder, a)
                        for a in ("dp_meanfield", "dp_sgld")} for d in sets}
    rows = [[name, algorithm, "not private" if epsilon is None else epsilon, *summary.mean_and_error(values)]
            for name, found in results.items() for algorithm in found for epsilon, values in found[algorithm].items()]
    figure.write(["data", "algorithm", "epsilon", "accuracy", "standard error"], rows,
                 [panel(name, found) for name, found in results.items()], f"""
Four fifths of the rows to learn from, {REPEATS} repeat(s), each with a split of its own; mean and standard error. Rates and iterations are the
paper's, clips are not: [examples/dpvi](../../../dpvi/README.md) has the settings, and why. Runs draw fresh noise, so that the
last digits differ from run to run.

The paper prints no numbers for this figure. It says that DPVI outperforms DP-SGLD and reaches the level without privacy with relatively
small epsilons.
""")


if __name__ == "__main__":
    main()
