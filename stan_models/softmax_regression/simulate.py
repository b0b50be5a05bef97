"""Data for a softmax regression: simulated, or radon measurements from the folder DP_DATA."""
import gzip
import json
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from simulation import command_line, generator, rounded  # noqa: E402

CLASSES = 5
FEATURES = 2


def choose(scores, rng):
    """An index with the probabilities softmax(scores)."""
    largest = max(scores)
    weights = [math.exp(s - largest) for s in scores]
    return rng.choices(range(len(scores)), weights)[0]


def simulate(n, seed):
    rng = generator(seed)
    alpha = [rng.gauss(0, 1) for _ in range(CLASSES)]
    beta = [[rng.gauss(0, 1) for _ in range(FEATURES)] for _ in range(CLASSES)]
    x = [[rng.gauss(0, 0.5) for _ in range(FEATURES)] for _ in range(n)]
    y = [1 + choose([a + sum(b * v for b, v in zip(row, at)) for a, row in zip(alpha, beta)], rng)
         for at in x]
    return {"N": n, "K": CLASSES, "D": FEATURES, "x": rounded(x), "y": y}


def standardized(column):
    """Mean 0, standard deviation 1/2."""
    mean = math.fsum(column) / len(column)
    sd = math.sqrt(math.fsum((v - mean)**2 for v in column) / len(column))
    return [(v - mean) / (2 * sd) for v in column]


def radon(seed):
    """Four fifths of the houses to learn from, one fifth to test; the floor from two measurements.

    Standardisation reads all rows; a release would take public scales in its place."""
    with gzip.open(os.path.join(os.environ["DP_DATA"], "radon_all.json.gz")) as f:
        raw = json.load(f)
    floors = sorted(set(raw["floor_measure"]))
    y = [1 + floors.index(v) for v in raw["floor_measure"]]
    x = list(zip(standardized(raw["log_radon"]), standardized(raw["log_uppm"])))
    order = list(range(len(y)))
    generator(seed).shuffle(order)
    cut = len(order) * 4 // 5

    def part(rows):
        return {"N": len(rows), "K": CLASSES, "D": FEATURES, "x": rounded([list(x[i]) for i in rows]),
                "y": [y[i] for i in rows]}
    return part(order[:cut]), part(order[cut:])


if __name__ == "__main__":
    command_line(__doc__, simulate)
