"""Data for a posterior on a ring, and its exact draws."""
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from simulation import command_line, generator, rounded, theta_names  # noqa: E402


def simulate(n, seed, a=1e-5):
    rng = generator(seed)
    return {"N": n, "a": a, "r": rounded([rng.gauss(3, 1) for _ in range(n)])}


def exact_draws(data, count, seed, tempering=1.0):
    """The squared radius is Gaussian, above zero; the angle is uniform."""
    rng = generator(seed)
    mean = math.fsum(r * r for r in data["r"]) / data["N"]
    sd = 1 / math.sqrt(2 * data["a"] * tempering * data["N"])
    rows = []
    while len(rows) < count:
        squared = rng.gauss(mean, sd)
        if squared > 0:
            angle = rng.uniform(0, 2 * math.pi)
            rows.append([math.sqrt(squared) * math.cos(angle), math.sqrt(squared) * math.sin(angle)])
    return theta_names(2), rows


if __name__ == "__main__":
    command_line(__doc__, simulate, exact_draws, a=1e-5)
