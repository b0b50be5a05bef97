"""Data for the mean of a Gaussian with a known, random covariance, and its exact posterior."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from simulation import (cholesky, command_line, gaussian_draws, gaussian_posterior, generator,  # noqa: E402
                        inverse, mean_of, random_basis, rounded, theta_names)


def covariance(d, rng, eigenvalues):
    """A random basis with these eigenvalues, or with some from Gamma(1/2, 1)."""
    basis = random_basis(d, rng)
    values = [float(v) for v in eigenvalues.split(",")] if eigenvalues else [rng.gammavariate(0.5, 1) for _ in range(d)]
    if len(values) != d:
        sys.exit(f"simulate.py: {d} dimensions have {d} eigenvalues, not {len(values)}.")
    return [[sum(v * b[i] * b[j] for v, b in zip(values, basis)) for j in range(d)] for i in range(d)]


def simulate(n, seed, dimensions=10, prior_sd=100.0, eigenvalues=""):
    rng = generator(seed)
    lower = cholesky(covariance(dimensions, rng, eigenvalues))
    truth = [3.0 * (i == 1) for i in range(dimensions)]
    x = rounded(gaussian_draws(truth, lower, n, rng))
    return {"N": n, "D": dimensions, "L": lower, "prior_sd": prior_sd, "x": x}


def exact_draws(data, count, seed, tempering=1.0):
    lower = data["L"]
    precision = inverse([[sum(a * b for a, b in zip(r, s)) for s in lower] for r in lower])
    mean, factor = gaussian_posterior(precision, mean_of(data["x"]), tempering * data["N"],
                                      data["prior_sd"])
    return theta_names(data["D"]), gaussian_draws(mean, factor, count, generator(seed))


if __name__ == "__main__":
    command_line(__doc__, simulate, exact_draws, dimensions=10, prior_sd=100.0, eigenvalues="")
