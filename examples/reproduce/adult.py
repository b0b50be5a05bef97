"""Seed 003, figure 3: test accuracy of logistic regression on Adult, by DP-SGLD, at delta = 1e-4."""
import os
import statistics
import sys

from figure import HERE, Figure, by_size
from lib import runs, svg

sys.path.insert(0, os.path.join(HERE, "..", "dpvi"))
import classification  # noqa: E402
import data_sets  # noqa: E402

EPSILONS = by_size([0.02, 0.05, 0.1, 0.2, 0.5, 1.0], [0.05, 0.2, 1.0], [1.0])
REPEATS = int(os.environ.get("repeats", by_size(10, 2, 1)))
ITERATIONS = by_size(2000, 2000, 50)
RATE = 0.01
# 3 clips few rows, though not none; the paper prints L = 0.3 for its other experiment with DP-SGLD.
RUNS = {"dp_sgld, clip 3": ("dp_sgld", 3), "dp_sgld, clip 0.3": ("dp_sgld", 0.3), "dp_meanfield, clip 3": ("dp_meanfield", 3)}


def main():
    try:
        data = data_sets.load("adult")
    except data_sets.DataMissing as missing:
        print(f"adult: left out. {missing}")
        return
    figure = Figure("adult", __doc__)
    runs.make("stan_models/logistic_regression/model")
    rows = []
    for name, (algorithm, clip) in RUNS.items():
        data.settings = {"iter": ITERATIONS, "clip": clip, "rate": RATE}
        found = classification.run_all(data, EPSILONS, REPEATS, 1e-4, figure.folder, algorithm)
        if None in found:
            baseline = statistics.fmean(found[None])
        for epsilon in EPSILONS:
            spread = statistics.stdev(found[epsilon]) if REPEATS > 1 else 0.0
            rows.append([name, epsilon, statistics.fmean(found[epsilon]), spread])
            print("{} epsilon {}: accuracy {:.4f}, sd {:.4f}".format(*rows[-1]), flush=True)
    lines = [svg.series(name, [r[1] for r in rows if r[0] == name], [r[2] for r in rows if r[0] == name],
                        [(r[2] - r[3], r[2] + r[3]) for r in rows if r[0] == name]) for name in RUNS]
    figure.write(["algorithm", "epsilon", "accuracy", "sd"], rows,
                 [svg.panel("Adult, test accuracy", "epsilon (delta = 1e-4)", "accuracy", lines, log_x=True,
                            level=(baseline, "not private"))], f"""
14 standardised columns, four fifths of 48,842 rows to learn from, {REPEATS} repeat(s), rate {RATE}, {ITERATIONS} iterations. dp_sgld has steps
`eta (1 + t)^(-1/3)` with the largest first step that privacy allows; its draws' mean classifies. Without privacy the accuracy
is {baseline:.4f} (dp_meanfield, nothing clipped).

The paper prints no numbers for this figure. It says that DP-SGLD is close to the run without privacy, and equal to it from epsilon = 0.08 on.
So it is here with a clip bound of 0.3, and not with 3. Why: the noise of a step is `z clip / rate`, it has to be the noise that
Langevin dynamics wants, and z grows with the root of the number of steps; so privacy bounds the *sum* of the steps, by a number that
goes as `1 / clip^2`, nearly as `epsilon^2`, and hardly depends on how many they are. At epsilon = 0.05 and clip 3 a chain has not
got far from its start. A bound of 0.3 clips more than half of the rows, and the draws are not those of the posterior: coefficients
come out too long. A classifier only asks for their direction. So this is no advice for inference, and the paper may have done
something else: it does not print its bound for Adult. For another task it has 0.3, which is why that was taken here, after bounds
from 0.2 to 3 had been tried.
""")


if __name__ == "__main__":
    main()
