"""Simulates data for model.stan: standard normal columns, coefficients from N(0, 1).

    python3 simulate.py [rows] [columns] [seed] > data.json
"""
import json
import math
import random
import sys


def simulate(rows, columns, seed):
    rng = random.Random(seed)
    alpha, beta = rng.gauss(0, 1), [rng.gauss(0, 1) for _ in range(columns)]
    x = [[rng.gauss(0, 1) for _ in range(columns)] for _ in range(rows)]
    linear = (alpha + sum(b * v for b, v in zip(beta, row)) for row in x)
    y = [int(rng.random() < 1 / (1 + math.exp(-e))) for e in linear]
    return {"N": rows, "K": columns, "x": x, "y": y}


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    json.dump(simulate(*(given + [1000, 4, 1][len(given):])), sys.stdout)
