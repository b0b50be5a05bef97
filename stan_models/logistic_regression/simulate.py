"""Data for a logistic regression: standard normal columns, coefficients from N(0, 1)."""
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from simulation import command_line, generator  # noqa: E402


def simulate(n, seed, columns=4):
    rng = generator(seed)
    alpha, beta = rng.gauss(0, 1), [rng.gauss(0, 1) for _ in range(columns)]
    x = [[rng.gauss(0, 1) for _ in range(columns)] for _ in range(n)]
    linear = (alpha + sum(b * v for b, v in zip(beta, row)) for row in x)
    y = [int(rng.random() < 1 / (1 + math.exp(-e))) for e in linear]
    return {"N": n, "K": columns, "x": x, "y": y}


if __name__ == "__main__":
    command_line(__doc__, simulate, columns=4)
