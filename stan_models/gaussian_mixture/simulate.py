"""Simulates data for model.stan as in Jälkö (2017), section 5.2: five spherical Gaussians in the plane with means
(0, 0) and (+-2, +-2), covariance I / 2 and equal weights.

    python3 simulate.py [rows] [seed] > data.json
"""
import json
import random
import sys

MEANS = [(0, 0), (2, 2), (2, -2), (-2, 2), (-2, -2)]


def draw_rows(rows, rng):
    centres = (rng.choice(MEANS) for _ in range(rows))
    return [[rng.gauss(c, 0.5 ** 0.5) for c in centre] for centre in centres]


def simulate(rows, seed):
    return {"N": rows, "K": len(MEANS), "D": 2, "x": draw_rows(rows, random.Random(seed))}


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    json.dump(simulate(*(given + [1000, 1][len(given):])), sys.stdout)
