"""Seed 004, figure 5.4: predictive log likelihood of a mixture of five Gaussians, by DPVI and DP-SGLD."""
import os
import sys

from figure import HERE, Figure, by_size
from lib import runs, svg

sys.path.insert(0, os.path.join(HERE, "..", "dpvi"))
import mixture  # noqa: E402
import summary  # noqa: E402

EPSILONS = by_size(mixture.EPSILONS, mixture.EPSILONS, [1])
REPEATS = int(os.environ.get("repeats", by_size(10, 2, 1)))


def main():
    figure = Figure("dpvi_mixture", __doc__)
    runs.make("stan_models/gaussian_mixture/model")
    found, level = mixture.run_all(EPSILONS, REPEATS, mixture.DELTA, figure.folder)
    rows = [[method, "not private" if epsilon is None else epsilon, *summary.mean_and_error(values)]
            for (method, epsilon), values in found.items()]
    lines = [summary.line(method, {e: v for (m, e), v in found.items() if m == method}) for method in mixture.METHODS]
    panel = svg.panel("Mixture of five Gaussians", f"epsilon (delta = {mixture.DELTA:g})", "log likelihood a row",
                      lines, log_x=True, level=(level, "the density that made the data"))
    figure.write(["algorithm", "epsilon", "log likelihood a row", "standard error"], rows, [panel], f"""
The mean over {mixture.TEST_ROWS} rows after {mixture.ROWS}, {REPEATS} repeat(s), each with data of its own. Both methods at rate {mixture.RATE} and clip 1. The
density that made the data has {level:.4f}. Runs draw fresh noise.

The paper prints no numbers for this figure. It says that DPVI outperforms DP-SGLD. Ten repeats of this here have it ahead for epsilon
up to 0.2 only ([examples/dpvi](../../../dpvi/README.md)): this dp_sgld is accounted for tightly, and its injected variance is that
of the posterior.
""")


if __name__ == "__main__":
    main()
