"""Predictive log likelihood of a five-component Gaussian mixture against epsilon: dp_meanfield and dp_sgld side by
side (Jälkö 2017, figure 5.4).

    make example/dpvi

Needs stan_models/gaussian_mixture/model, which `make stan_models/gaussian_mixture/model` builds.
"""
import argparse
import csv
import math
import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(os.path.dirname(os.path.dirname(HERE)), "stan_models", "gaussian_mixture")
sys.path[:0] = [HERE, os.path.dirname(HERE), FOLDER]
import simulate  # noqa: E402
import summary  # noqa: E402
from lib import runs, svg  # noqa: E402

MODEL = "gaussian_mixture"
EPSILONS = [0.1, 0.2, 0.5, 1, 2]
DELTA = 1e-3
ROWS, TEST_ROWS, RATE = 1000, 100, 0.03
METHODS = {
    # words of the command, clip
    "dp_meanfield": (["variational", "iter=1000", "output_samples=100", "algorithm=dp_meanfield"], 1),
    "dp_sgld": (["sample", "num_warmup=50", "num_samples=100", "algorithm=dp_sgld"], 1),
}


def arguments(method, epsilon, delta):
    words, clip = METHODS[method]
    privacy = (["engaged=0", "clip=10"] if epsilon is None else
               [f"epsilon={epsilon}", f"delta={delta}", f"clip={clip}", "neighbors=add_remove"])
    return [*words, f"rate={RATE}", "privacy", *privacy]


def log_sum_exp(values):
    top = max(values)
    return top + math.log(sum(math.exp(v - top) for v in values))


def log_density(point, components):
    """Components are (log weight, mean, variance)."""
    return log_sum_exp([w - len(point) / 2 * math.log(2 * math.pi * v)
                        - sum((a - b) ** 2 for a, b in zip(point, mean)) / (2 * v) for w, mean, v in components])


def components(names, row):
    value = dict(zip(names, row))
    return [(math.log(max(value[f"pi.{k}"], 1e-300)), (value[f"mu.{k}.1"], value[f"mu.{k}.2"]), value[f"tau.{k}"])
            for k in range(1, 6)]


def predictive(points, draws):
    """Mean over points of the log of the density, averaged over draws."""
    logs = ([log_density(point, draw) for draw in draws] for point in points)
    return sum(log_sum_exp(values) - math.log(len(values)) for values in logs) / len(points)


def truth(points):
    return predictive(points, [[(math.log(0.2), mean, 0.5) for mean in simulate.MEANS]])


def run_all(epsilons, repeats, delta, folder):
    found = {(method, epsilon): [] for method in METHODS for epsilon in epsilons}
    found["dp_meanfield", None] = []
    levels = []
    for repeat in range(repeats):
        file = runs.write_json(simulate.simulate(ROWS, repeat), os.path.join(folder, "mixture.json"))
        points = simulate.draw_rows(TEST_ROWS, random.Random(1000 + repeat))
        levels.append(truth(points))
        for method, epsilon in found:
            files = runs.sample(MODEL, arguments(method, epsilon, delta), file,
                                os.path.join(folder, "mixture_run.csv"))
            names, rows = runs.read_draws(files[0])
            draws = [components(names, row) for row in rows[-100:]]
            found[method, epsilon].append(predictive(points, draws))
        print(f"mixture: repeat {repeat + 1} of {repeats}", file=sys.stderr)
    return found, summary.mean_and_error(levels)[0]


def write(found, level, repeats, delta, folder):
    head = ["method", "epsilon", "log likelihood a row", "standard error"]
    rows = [[method, "not private" if epsilon is None else epsilon,
             *(round(x, 4) for x in summary.mean_and_error(values))] for (method, epsilon), values in found.items()]
    with open(os.path.join(folder, "mixture.csv"), "w", newline="") as f:
        csv.writer(f).writerows([head, *rows])
    with open(os.path.join(folder, "mixture.md"), "w") as f:
        f.write(f"Predictive log likelihood of {TEST_ROWS} rows after {ROWS}, delta = {delta:g}, "
                f"neighbors = add_remove, {repeats} repeats. "
                f"Both methods: rate {RATE}, clip 1; dp_meanfield 1000 iterations, dp_sgld 150. "
                f"The density that made the data has {level:.4f}.\n\n" + summary.markdown(head, rows))
    series = {method: [(e, *summary.mean_and_error(v)) for (m, e), v in found.items() if m == method and e]
              for method in METHODS}
    levels = {"dp_meanfield, not private": summary.mean_and_error(found["dp_meanfield", None])[0],
              "the truth": level}
    svg.line_chart(os.path.join(folder, "mixture.svg"), "Mixture of five Gaussians",
                     f"epsilon (delta = {delta:g})", "predictive log likelihood a row", series, levels)


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epsilon", nargs="+", type=float, default=EPSILONS)
    parser.add_argument("--delta", type=float, default=DELTA)
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--output", default=os.path.join(HERE, "output"))
    options = parser.parse_args(words)
    os.makedirs(options.output, exist_ok=True)
    found, level = run_all(options.epsilon, options.repeats, options.delta, options.output)
    write(found, level, options.repeats, options.delta, options.output)
    with open(os.path.join(options.output, "mixture.md")) as f:
        print(f.read())
    print("Written to", options.output)


if __name__ == "__main__":
    main()
