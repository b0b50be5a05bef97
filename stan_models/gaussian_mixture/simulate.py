"""Data for a mixture as in seed 004, section 5.2: five spherical Gaussians in the plane with means (0, 0) and (+-2, +-2),
covariance I / 2 and equal weights."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from simulation import command_line, generator  # noqa: E402

MEANS = [(0, 0), (2, 2), (2, -2), (-2, 2), (-2, -2)]


def draw_rows(rows, rng):
    centres = (rng.choice(MEANS) for _ in range(rows))
    return [[rng.gauss(c, 0.5 ** 0.5) for c in centre] for centre in centres]


def simulate(n, seed):
    return {"N": n, "K": len(MEANS), "D": 2, "x": draw_rows(n, generator(seed))}


if __name__ == "__main__":
    command_line(__doc__, simulate)
