"""What the generators of the models share: small linear algebra, Stan's JSON, and a command line.

Every folder has a module `simulate` with

    simulate(n, seed, ...)                 data, as a dictionary
    exact_draws(data, count, seed, tempering)  where the posterior is known: names and rows

Standard library only, so that a first run needs nothing that is not there.
"""
import argparse
import json
import math
import random


def cholesky(matrix):
    """The lower triangular L with L L' = matrix."""
    d = len(matrix)
    lower = [[0.0] * d for _ in range(d)]
    for i in range(d):
        for j in range(i + 1):
            rest = matrix[i][j] - sum(lower[i][k] * lower[j][k] for k in range(j))
            lower[i][j] = math.sqrt(rest) if i == j else rest / lower[j][j]
    return lower


def times(matrix, vector):
    return [sum(m * v for m, v in zip(row, vector)) for row in matrix]


def solve_lower(lower, vector):
    """The x with L x = vector."""
    x = []
    for row, v in zip(lower, vector):
        x.append((v - sum(a * b for a, b in zip(row, x))) / row[len(x)])
    return x


def solve_upper(lower, vector):
    """The x with L' x = vector."""
    d = len(vector)
    x = [0.0] * d
    for i in reversed(range(d)):
        rest = vector[i] - sum(lower[k][i] * x[k] for k in range(i + 1, d))
        x[i] = rest / lower[i][i]
    return x


def inverse(matrix):
    """Of a symmetric positive definite matrix."""
    lower = cholesky(matrix)
    d = len(matrix)
    units = [[float(i == j) for j in range(d)] for i in range(d)]
    return [solve_upper(lower, solve_lower(lower, unit)) for unit in units]


def random_basis(d, rng):
    """An orthonormal basis: Gram and Schmidt on Gaussian vectors."""
    basis = []
    while len(basis) < d:
        v = [rng.gauss(0, 1) for _ in range(d)]
        for _ in range(2):
            for b in basis:
                along = sum(x * y for x, y in zip(v, b))
                v = [x - along * y for x, y in zip(v, b)]
        norm = math.sqrt(sum(x * x for x in v))
        basis.append([x / norm for x in v])
    return basis


def gaussian_draws(mean, lower, count, rng):
    """Draws from N(mean, L L')."""
    d = len(mean)
    rows = []
    for _ in range(count):
        z = [rng.gauss(0, 1) for _ in range(d)]
        rows.append([m + sum(row[k] * z[k] for k in range(i + 1))
                     for i, (m, row) in enumerate(zip(mean, lower))])
    return rows


def mean_of(rows):
    return [math.fsum(column) / len(rows) for column in zip(*rows)]


def gaussian_posterior(precision, mean, count, prior_sd):
    """Mean and lower factor of the posterior of a Gaussian mean.

    `count` rows with the precision matrix `precision` and that mean; the prior is N(0, prior_sd^2)."""
    d = len(mean)
    total = [[count * precision[i][j] + (i == j) / prior_sd**2 for j in range(d)] for i in range(d)]
    covariance = inverse(total)
    at = times(covariance, [count * v for v in times(precision, mean)])
    return at, cholesky(covariance)


def rounded(value):
    """Six digits: what a measurement has, and half the size of the file."""
    if isinstance(value, list):
        return [rounded(v) for v in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value


def write_json(data, path):
    with open(path, "w") as f:
        json.dump(data, f)


def write_draws(names, rows, path):
    """A CSV that `bin/compare` reads."""
    with open(path, "w") as f:
        f.write(",".join(names) + "\n")
        for row in rows:
            f.write(",".join(f"{x:.9g}" for x in row) + "\n")


def command_line(description, simulate, exact_draws=None, **options):
    """simulate.py --n 1000 --seed 1 --output data.json [--posterior exact.csv]"""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--n", type=int, default=1000, help="rows (1000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", default="data.json", help="Stan JSON file to write")
    for name, default in options.items():
        parser.add_argument("--" + name.replace("_", "-"), type=type(default), default=default,
                            help=f"({default})")
    if exact_draws:
        parser.add_argument("--posterior", help="CSV file to write 1000 exact draws to")
        parser.add_argument("--tempering", type=float, default=1.0)
    words = parser.parse_args()
    data = simulate(words.n, words.seed, **{name: getattr(words, name) for name in options})
    write_json(data, words.output)
    if exact_draws and words.posterior:
        names, rows = exact_draws(data, 1000, words.seed + 1, words.tempering)
        write_draws(names, rows, words.posterior)


def generator(seed):
    return random.Random(seed)


def theta_names(d):
    return [f"theta.{i + 1}" for i in range(d)]
