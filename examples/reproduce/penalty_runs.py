"""dp_hmc and dp_penalty in the terms of seeds 001 and 002, where the noise is 2 tau sqrt(n) clips."""
import math

from lib import runs


def iterations(problem, epsilon, noise, rate=1):
    """For each chain: how often the budget allows a query with that noise, over all chains."""
    steps = runs.privacy("steps", epsilon=epsilon, delta=problem.delta, rate=rate, noise=noise,
                         neighbors=problem.neighbors)
    return min(problem.longest, max(4, int(steps) // problem.chains))


def hmc(problem, s, epsilon, repeat):
    ratio, gradient = (2 * s[k] * math.sqrt(problem.n) for k in ("tau_ratio", "tau_gradient"))
    # An iteration has one ratio and L gradients; costs 1/z^2 add up.
    cost = 1 / ratio**2, s["leapfrog"] / gradient**2
    k = iterations(problem, epsilon, 1 / math.sqrt(sum(cost)))
    # Theirs was uniform between 0 and the step: half of it, jittered by all of it.
    algorithm = ["algorithm=dp_hmc", f"stepsize={s['step'] / 2!r}", "stepsize_jitter=1",
                 f"num_leapfrog={s['leapfrog']}", "metric=unit_e",
                 f"ratio_share={cost[0] / sum(cost)!r}"]
    return k, problem.sample("hmc", epsilon, k, algorithm,
                             [f"clip={s['clip']}", f"ratio_clip={s['ratio_clip']}"], repeat)


def penalty(problem, s, epsilon, repeat, proposal="full"):
    k = iterations(problem, epsilon, 2 * s["tau"] * math.sqrt(problem.n))
    algorithm = ["algorithm=dp_penalty", f"scale={s['scale']}", f"proposal={proposal}", "metric=unit_e"]
    return k, problem.sample("penalty_" + proposal, epsilon, k, algorithm, [f"clip={s['ratio_clip']}"], repeat)
