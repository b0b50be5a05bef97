"""Data for a posterior in the shape of a banana, and its exact draws."""
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from simulation import command_line, generator, mean_of, rounded, theta_names  # noqa: E402


def simulate(n, seed, dimensions=2, a=20.0, precisions="0.05,0.4", prior_precision=0.001):
    """Precisions of the likelihood: of the first variables; the rest have 1."""
    rng = generator(seed)
    given = [float(p) for p in precisions.split(",")]
    sigma = [1 / math.sqrt(p) for p in (given + [1.0] * dimensions)[:dimensions]]
    truth = [3.0 * (i == 1) for i in range(dimensions)]
    x = [rounded([rng.gauss(m, s) for m, s in zip(truth, sigma)]) for _ in range(n)]
    return {"N": n, "D": dimensions, "a": a, "sigma": sigma,
            "prior_sd": 1 / math.sqrt(prior_precision), "x": x}


def exact_draws(data, count, seed, tempering=1.0):
    """The means are independent Gaussians; theta bends the second of them back."""
    rng = generator(seed)
    n, prior = tempering * data["N"], data["prior_sd"]**-2
    marginals = []
    for mean, sigma in zip(mean_of(data["x"]), data["sigma"]):
        precision = n / sigma**2 + prior
        marginals.append((n / sigma**2 * mean / precision, 1 / math.sqrt(precision)))
    rows = [[rng.gauss(m, s) for m, s in marginals] for _ in range(count)]
    for row in rows:
        row[1] -= data["a"] * row[0]**2
    return theta_names(data["D"]), rows


if __name__ == "__main__":
    command_line(__doc__, simulate, exact_draws, dimensions=2, a=20.0, precisions="0.05,0.4",
                 prior_precision=0.001)
