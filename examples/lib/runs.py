"""Building and running models from an example, and reading what they write. Standard library only."""
import csv
import importlib.util
import json
import os
import statistics
import subprocess
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))


def make(*goals):
    """Builds what is out of date; what is up to date takes no time."""
    subprocess.run(["make", "-C", ROOT, "--no-print-directory", "-j2", *goals], check=True)


def program(model):
    """The executable of stan_models/MODEL."""
    return os.path.join(ROOT, "stan_models", model, "model")


def load_module(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def generator(model):
    """The module simulate.py of stan_models/MODEL."""
    return load_module(model + "_simulate", os.path.join(ROOT, "stan_models", model, "simulate.py"))


def simulation():
    """What the generators share: stan_models/simulation.py."""
    return load_module("simulation", os.path.join(ROOT, "stan_models", "simulation.py"))


def run(command, stdin=None):
    """What the command prints; where it fails, its own words end the example."""
    result = subprocess.run([str(word) for word in command], text=True, input=stdin,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if result.returncode != 0:
        sys.exit(" ".join(str(word) for word in command) + "\n" + result.stdout[-2000:]
                 + result.stderr[-2000:])
    return result.stdout


def privacy(command, stdin=None, **options):
    """The figure that bin/privacy answers with."""
    words = [os.path.join(ROOT, "bin", "privacy"), command]
    words += [f"{name}={value!r}".replace("'", "") for name, value in options.items()]
    return float(run(words, stdin).strip().splitlines()[-1].split("=")[1])


def chain_files(path, chains):
    """Names that CmdStan gives to the chains of `output file=path`."""
    if chains == 1:
        return [path]
    stem, ending = os.path.splitext(path)
    return [f"{stem}_{i + 1}{ending}" for i in range(chains)]


def sample(model, words, data, output, chains=1, init=None):
    """Runs a model; returns the files of its chains."""
    command = [program(model)] + [str(word) for word in words]
    command += ["data", "file=" + data, "output", "file=" + output, "refresh=0"]
    if init:
        command.append("init=" + init)
    run(command)
    return chain_files(output, chains)


def read_draws(path):
    """Column names and rows of a Stan CSV file."""
    with open(path) as f:
        lines = [line for line in f if not line.startswith("#")]
    table = list(csv.reader(lines))
    return table[0], [[float(v) for v in row] for row in table[1:]]


def columns(paths):
    """Draws of all chains: a list of values for each parameter."""
    merged = {}
    for path in paths:
        names, rows = read_draws(path)
        for i, name in enumerate(names):
            if not name.endswith("__"):
                merged.setdefault(name, []).extend(row[i] for row in rows)
    return merged


def compare(reference, candidate, plot=None):
    """The table of bin/compare; both are lists of files."""
    words = [os.path.join(ROOT, "bin", "compare"), ",".join(reference), ",".join(candidate)]
    return run(words + (["plot=" + plot] if plot else []))


def mmd(reference, candidate):
    """Maximum mean discrepancy, as bin/compare has it; NaN if a chain never moved."""
    try:
        report = compare(reference, candidate)
    except SystemExit:
        return float("nan")
    line = next(line for line in report.splitlines() if line.startswith("MMD"))
    return float(line.split()[1])


def mean_error(reference, candidate):
    """Euclidean distance of the means."""
    a, b = columns(reference), columns(candidate)
    return sum((statistics.fmean(a[k]) - statistics.fmean(b[k]))**2 for k in a)**0.5


def write_json(data, path):
    with open(path, "w") as f:
        json.dump(data, f)
    return path


def write_csv(path, header, rows):
    with open(path, "w", newline="") as f:
        writer = csv.writer(f, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def markdown_table(header, rows):
    def cell(value):
        return f"{value:.4g}" if isinstance(value, float) else str(value)
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    lines += ["| " + " | ".join(cell(v) for v in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def split_rhat(paths):
    """The largest split R-hat over the parameters (Gelman et al. 2013, section 11.4); NaN below four draws."""
    chains = [columns([path]) for path in paths]
    if min(len(values) for chain in chains for values in chain.values()) < 4:
        return float("nan")
    worst = 1.0
    for name in chains[0]:
        halves = []
        for chain in chains:
            half = len(chain[name]) // 2
            halves += [chain[name][:half], chain[name][-half:]]
        within = statistics.fmean(statistics.variance(h) for h in halves)
        between = statistics.variance([statistics.fmean(h) for h in halves])
        if within > 0:
            size = len(halves[0])
            worst = max(worst, ((size - 1) / size + between / within)**0.5)
    return worst


def lag_one(values):
    """Correlation of neighbouring draws."""
    mean = statistics.fmean(values)
    gaps = [v - mean for v in values]
    return sum(a * b for a, b in zip(gaps, gaps[1:])) / sum(g * g for g in gaps)


def acceptance(paths):
    """Mean of accept_stat__, or NaN where the algorithm has no acceptance test."""
    values = []
    for path in paths:
        names, rows = read_draws(path)
        if "accept_stat__" in names:
            at = names.index("accept_stat__")
            values += [row[at] for row in rows]
    return statistics.fmean(values) if values else float("nan")
