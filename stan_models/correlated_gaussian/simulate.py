"""Data for the means of two variables with a known correlation, and the exact posterior."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from simulation import (cholesky, command_line, gaussian_draws, gaussian_posterior, generator,  # noqa: E402
                        inverse, mean_of, rounded, theta_names)


def simulate(n, seed, rho=0.999, prior_sd=10.0):
    rng = generator(seed)
    x = rounded(gaussian_draws([0.0, 3.0], cholesky([[1.0, rho], [rho, 1.0]]), n, rng))
    return {"N": n, "rho": rho, "prior_sd": prior_sd, "x": x}


def exact_draws(data, count, seed, tempering=1.0):
    precision = inverse([[1.0, data["rho"]], [data["rho"], 1.0]])
    mean, factor = gaussian_posterior(precision, mean_of(data["x"]), tempering * data["N"],
                                      data["prior_sd"])
    return theta_names(2), gaussian_draws(mean, factor, count, generator(seed))


if __name__ == "__main__":
    command_line(__doc__, simulate, exact_draws, rho=0.999, prior_sd=10.0)
