"""Accuracy of private logistic regression against epsilon, on Adult and Abalone (Jälkö 2017, figure 5.1).

    make example/dpvi
    python3 examples/dpvi/classification.py --data adult --repeats 3 --epsilon 0.5 1

Needs stan_models/logistic_regression/model, which `make stan_models/logistic_regression/model` builds, and DP_DATA.
"""
import argparse
import csv
import os
import statistics
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import data_sets  # noqa: E402
import summary  # noqa: E402
from lib import runs, svg  # noqa: E402

MODEL = "logistic_regression"
EPSILONS = [0.1, 0.2, 0.5, 1, 2]
DELTA = 1e-3


def arguments(settings, epsilon, delta, algorithm="dp_meanfield"):
    """Without epsilon the run is not private: no noise and nothing clipped."""
    privacy = (["engaged=0", "clip=1000"] if epsilon is None else
               [f"epsilon={epsilon}", f"delta={delta}", f"clip={settings['clip']}", "neighbors=add_remove"])
    private = [f"rate={settings['rate']}"]
    if algorithm == "dp_meanfield":
        method = ["variational", f"iter={settings['iter']}", "output_samples=10"]
    else:
        # falling steps, the first of them the largest that privacy allows
        half = settings["iter"] // 2
        method = ["sample", f"num_warmup={half}", f"num_samples={settings['iter'] - half}"]
        private.append("decay_power=0.333")
    return [*method, "algorithm=" + algorithm, *private, "privacy", *privacy]


def accuracy(files, x, y, algorithm="dp_meanfield"):
    """A row is classified by the mean: that decides whether the predictive probability is above one half. A variational
    file has it in its first row; the draws of a chain are averaged."""
    names, rows = runs.read_draws(files[0])
    mean = rows[0] if algorithm == "dp_meanfield" else [statistics.fmean(column) for column in zip(*rows)]
    value = dict(zip(names, mean))
    beta = [value[f"beta.{j + 1}"] for j in range(len(x[0]))]
    right = sum((value["alpha"] + sum(b * v for b, v in zip(beta, row)) > 0) == bool(c) for row, c in zip(x, y))
    return right / len(y)


def run_all(data, epsilons, repeats, delta, folder, algorithm="dp_meanfield"):
    """One accuracy for each repeat, by epsilon; each repeat has a split of its own."""
    found = {epsilon: [] for epsilon in ([None, *epsilons] if algorithm == "dp_meanfield" else epsilons)}
    for repeat in range(repeats):
        training, x, y = data.split(repeat)
        file = runs.write_json(training, os.path.join(folder, data.name + ".json"))
        for epsilon in found:
            files = runs.sample(MODEL, arguments(data.settings, epsilon, delta, algorithm), file,
                                os.path.join(folder, data.name + ".csv"))
            found[epsilon].append(accuracy(files, x, y, algorithm))
        print(f"{data.name}, {algorithm}: repeat {repeat + 1} of {repeats}", file=sys.stderr)
    return found


def table(results):
    """Rows of the table: data, epsilon, mean accuracy, its standard error, difference to the run without privacy."""
    rows = []
    for name, found in results.items():
        without, _ = summary.mean_and_error(found[None])
        for epsilon, values in found.items():
            mean, error = summary.mean_and_error(values)
            rows.append([name, "not private" if epsilon is None else epsilon, round(mean, 5), round(error, 5),
                         round(mean - without, 5)])
    return rows


def write(results, settings, repeats, delta, folder):
    head = ["data", "epsilon", "accuracy", "standard error", "difference"]
    rows = table(results)
    with open(os.path.join(folder, "classification.csv"), "w", newline="") as f:
        csv.writer(f).writerows([head, *rows])
    used = [f"{name}: rate {s['rate']}, clip {s['clip']}, {s['iter']} iterations" for name, s in settings.items()]
    with open(os.path.join(folder, "classification.md"), "w") as f:
        f.write(f"Test accuracy of dp_meanfield, delta = {delta:g}, neighbors = add_remove, {repeats} repeats.\n"
                + ". ".join(used) + ".\n\n" + summary.markdown(head, rows))
    for name, found in results.items():
        points = [(e, *summary.mean_and_error(v)) for e, v in found.items() if e is not None]
        svg.line_chart(os.path.join(folder, name + ".svg"), f"Logistic regression on {name.capitalize()}",
                         f"epsilon (delta = {delta:g})", "test accuracy", {"dp_meanfield": points},
                         {"not private": summary.mean_and_error(found[None])[0]})
    return rows


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", nargs="+", choices=["adult", "abalone"], default=["adult", "abalone"])
    parser.add_argument("--epsilon", nargs="+", type=float, default=EPSILONS)
    parser.add_argument("--delta", type=float, default=DELTA)
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--output", default=os.path.join(HERE, "output"))
    options = parser.parse_args(words)
    os.makedirs(options.output, exist_ok=True)
    try:
        sets = [data_sets.load(name) for name in options.data]
    except data_sets.DataMissing as problem:
        sys.exit(str(problem))
    results = {data.name: run_all(data, options.epsilon, options.repeats, options.delta, options.output)
               for data in sets}
    write(results, {data.name: data.settings for data in sets}, options.repeats, options.delta, options.output)
    with open(os.path.join(options.output, "classification.md")) as f:
        print(f.read())
    print("Written to", options.output)


if __name__ == "__main__":
    main()
