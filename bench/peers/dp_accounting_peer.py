"""The composition of accounting_bench.cpp with dp-accounting==0.6.0.

Prints JSON with the same keys. Its privacy loss distributions are made with
the library's defaults (connect-the-dots, an interval of 1e-4).
"""

import json
import time

from dp_accounting import NeighboringRelation, dp_event
from dp_accounting.pld import PLDAccountant


def main():
    start = time.perf_counter()
    accountant = PLDAccountant(NeighboringRelation.ADD_OR_REMOVE_ONE)
    for t in range(1, 201):
        eta = 3 * t ** (-1 / 3)
        noise = (2 / (eta * 0.7**2)) ** 0.5
        event = dp_event.PoissonSampledDpEvent(
            0.01, dp_event.GaussianDpEvent(noise))
        accountant.compose(event, 10)
    epsilon = accountant.get_epsilon(1e-5)
    seconds = time.perf_counter() - start
    print(json.dumps({"name": "accounting_2000_steps", "epsilon": epsilon,
                      "seconds": seconds}))


if __name__ == "__main__":
    main()
