"""Writes dp_accounting_grid.csv: what Google's dp-accounting says.

    python3 -m venv venv && venv/bin/pip install dp-accounting==0.6.0
    venv/bin/python make_grid.py > dp_accounting_grid.csv

Each line is `count` runs of one Poisson-subsampled Gaussian mechanism. The
noise is the standard deviation divided by the clip bound, for both relations:

    add_remove   NeighboringRelation.ADD_OR_REMOVE_ONE, sensitivity 1. Both
                 directions are composed and the larger delta decides.
    substitute   NeighboringRelation.REPLACE_ONE, sensitivity 1. The pair is
                 (1-q)N(0,z^2) + qN(-1,z^2) against (1-q)N(0,z^2) + qN(1,z^2),
                 so that at rate 1 the two means lie a distance of 2 apart.

`pessimistic` comes from its connect-the-dots discretisation. Its interval is
divided by three until that moves the figure by less than 3e-5 of it, or until
the distribution of one step would have more than 400,000 points, or that of
all steps some millions.
`optimistic` comes from its privacy buckets, rounded down, at the last
interval: a valid lower bound, and a loose one where there are many steps,
because each of them is rounded (connect-the-dots has no optimistic form).
Points whose pessimistic epsilon is outside of [0.05, 30] are left out.
"""

import itertools
import math
import sys

from dp_accounting import NeighboringRelation
from dp_accounting.pld import privacy_loss_distribution as pld

RELATIONS = {
    "add_remove": NeighboringRelation.ADD_OR_REMOVE_ONE,
    "substitute": NeighboringRelation.REPLACE_ONE,
}
LARGEST_SIZE = 400_000
LARGEST_COMPOSED_SIZE = 5_000_000

# rate, noise, count, delta. Few dimensions of the box are left unvisited: all
# rates, noises, counts and deltas occur with small and with large others.
POINTS = [
    (1, 0.3, 1, 1e-5), (1, 0.5, 1, 1e-9), (1, 1, 1, 1e-3), (1, 1, 10, 1e-5),
    (1, 4, 1, 1e-5), (1, 4, 100, 1e-6), (1, 10, 1, 1e-9), (1, 10, 1000, 1e-3),
    (1, 50, 1, 1e-9), (1, 50, 100, 1e-5), (1, 50, 10000, 1e-7),
    (1, 20, 1, 1e-3),
    (0.5, 0.5, 1, 1e-5), (0.5, 1, 3, 1e-7), (0.5, 2, 10, 1e-3),
    (0.5, 5, 100, 1e-9), (0.5, 20, 1000, 1e-5), (0.5, 50, 10000, 1e-6),
    (0.1, 0.3, 1, 1e-3), (0.1, 0.7, 10, 1e-5), (0.1, 1, 100, 1e-9),
    (0.1, 2, 300, 1e-5), (0.1, 5, 1000, 1e-6), (0.1, 10, 10000, 1e-8),
    (0.1, 30, 100000, 1e-5), (0.1, 50, 100000, 1e-3),
    (0.01, 0.3, 1, 1e-5), (0.01, 0.5, 3, 1e-7), (0.01, 0.7, 30, 1e-9),
    (0.01, 1, 100, 1e-5), (0.01, 1, 10000, 1e-5), (0.01, 1.5, 1000, 1e-3),
    (0.01, 2, 2000, 1e-6), (0.01, 5, 30000, 1e-9), (0.01, 10, 100000, 1e-7),
    (0.001, 0.3, 3, 1e-7), (0.001, 0.4, 100, 1e-5), (0.001, 0.6, 1000, 1e-6),
    (0.001, 0.8, 10000, 1e-5), (0.001, 1, 30000, 1e-9),
    (0.001, 2, 100000, 1e-5),
    (0.0001, 0.3, 1, 1e-9), (0.0001, 0.3, 100, 1e-5),
    (0.0001, 0.4, 1000, 1e-7), (0.0001, 0.5, 10000, 1e-6),
    (0.0001, 0.6, 100000, 1e-5), (0.0001, 0.8, 100000, 1e-9),
]


def epsilon(relation, rate, noise, count, delta, interval, pessimistic):
    one = pld.from_gaussian_mechanism(
        standard_deviation=noise,
        sensitivity=1,
        pessimistic_estimate=pessimistic,
        value_discretization_interval=interval,
        sampling_prob=rate,
        use_connect_dots=pessimistic,
        neighboring_relation=RELATIONS[relation],
    )
    return one.self_compose(count).get_epsilon_for_delta(delta)


def loss_range(relation, rate, noise):
    """How far the losses of one step may reach, roughly: sizes the grid."""
    shift = 1 if relation == "add_remove" else 2
    top = shift * (shift / 2 + 10 * noise) / noise**2
    return 2 * math.log1p(rate * math.expm1(min(top, 700)))


def reference(relation, rate, noise, count, delta):
    width = loss_range(relation, rate, noise)
    interval = min(1e-2, width / 1000)
    point = (relation, rate, noise, count, delta)
    high = epsilon(*point, interval, True)
    while (width / interval < LARGEST_SIZE / 3
           and 10 * high / interval < LARGEST_COMPOSED_SIZE / 3):
        interval /= 3
        before, high = high, epsilon(*point, interval, True)
        if abs(before - high) <= 3e-5 * high:
            break
    return epsilon(*point, interval, False), high, interval


def main():
    print("neighbors,rate,noise,count,delta,optimistic,pessimistic,interval")
    for relation, point in itertools.product(RELATIONS, POINTS):
        low, high, interval = reference(relation, *point)
        if not 0.05 <= high <= 30:
            print("left out:", relation, point, low, high, file=sys.stderr)
            continue
        print(relation, *map(repr, point), f"{low:.9g}", f"{high:.9g}",
              f"{interval:.3g}", sep=",", flush=True)


if __name__ == "__main__":
    main()
