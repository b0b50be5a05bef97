"""Data for a logistic regression with bounded features."""
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from simulation import command_line, generator  # noqa: E402

ALPHA = -0.5
BETA = [1.0, -0.8, 0.6, -0.4, 0.2]


def simulate(n, seed):
    """Features are uniform between -1 and 1: a row's gradient has at most the norm sqrt(1 + 5)."""
    rng = generator(seed)
    x = [[round(rng.uniform(-1, 1), 3) for _ in BETA] for _ in range(n)]
    scores = [ALPHA + sum(b * v for b, v in zip(BETA, row)) for row in x]
    y = [int(rng.random() < 1 / (1 + math.exp(-s))) for s in scores]
    return {"N": n, "K": len(BETA), "x": x, "y": y}


if __name__ == "__main__":
    command_line(__doc__, simulate)
