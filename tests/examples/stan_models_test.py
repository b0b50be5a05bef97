"""The generators of stan_models have one command line, and their exact draws are those of the Stan program beside them."""
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import unittest

ROOT = os.environ["ROOT"]
sys.path.insert(0, os.path.join(ROOT, "examples"))
from lib import runs  # noqa: E402

MODELS = sorted(e.name for e in os.scandir(os.path.join(ROOT, "stan_models")) if e.is_dir() and e.name[0] not in "._")
EXACT = 20000
CHAINS, DRAWS, BATCH = 4, 5000, 250

# Few rows and a narrow prior, so that the prior, the bend of the banana and the cut of the circle's squared radius at
# zero all show: a closed form without one of them is wrong by much more than the tests allow.
SMALL = {"gaussian": (20, {"dimensions": 4, "prior_sd": 1.0}), "correlated_gaussian": (20, {"prior_sd": 1.0}),
         "banana": (20, {"dimensions": 3, "a": 4.0, "prior_precision": 10.0}), "circle": (50, {"a": 1e-4})}


def small_data(model):
    n, options = SMALL[model]
    return runs.generator(model).simulate(n, 1, **options)


class CommandLine(unittest.TestCase):
    def simulate(self, model, seed):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "data.json")
            subprocess.run([sys.executable, os.path.join(ROOT, "stan_models", model, "simulate.py"), "--n", "7",
                            "--seed", str(seed), "--output", file], check=True)
            with open(file) as f:
                return json.load(f)

    def test_is_the_same_for_every_model(self):
        self.assertGreaterEqual(len(MODELS), 7)
        for model in MODELS:
            with self.subTest(model):
                data = self.simulate(model, 1)
                self.assertEqual(data["N"], 7)
                self.assertTrue(any(isinstance(v, list) and len(v) == 7 for v in data.values()))

    def test_the_seed_decides_what_is_drawn(self):
        for model in MODELS:
            with self.subTest(model):
                first = self.simulate(model, 1)
                self.assertEqual(first, self.simulate(model, 1))
                self.assertNotEqual(first, self.simulate(model, 2))

    def test_every_model_has_a_page_and_a_row_in_the_table(self):
        with open(os.path.join(ROOT, "stan_models", "README.md")) as f:
            table = f.read()
        for model in MODELS:
            with self.subTest(model):
                self.assertTrue(os.path.exists(os.path.join(ROOT, "stan_models", model, "README.md")))
                self.assertIn(f"| {model} |", table)


class ClosedForm(unittest.TestCase):
    """NUTS against exact draws, by the mean of each quantity and of its squared distance from the exact mean.

    The error of a mean over NUTS's draws is estimated from the means of batches: 20,000 draws in 80 batches of 250, which are
    far longer than the chain remembers. That of the exact mean is s / sqrt(20000). A difference of more than five standard
    errors (Student's t with 79 degrees of freedom: 3e-6 two-sided) fails: about 1e-4 for the 30 means here together, if the
    closed forms are right. The draws have to be worth 1000 independent ones: then five standard errors of a mean are at most
    5 / sqrt(1000) = 0.16 sd, and those of a Gaussian's variance sqrt(2) times that, 22 % (11 % of its sd).
    """

    @classmethod
    def setUpClass(cls):
        runs.make(*(f"stan_models/{model}/model" for model in SMALL))

    def nuts(self, model, data):
        """Chains, each a list of draws of theta."""
        with tempfile.TemporaryDirectory() as folder:
            file = runs.write_json(data, os.path.join(folder, "data.json"))
            words = ["sample", f"num_chains={CHAINS}", "num_warmup=500", f"num_samples={DRAWS}", "adapt", "delta=0.95",
                     "random", "seed=1"]
            files = runs.sample(model, words, file, os.path.join(folder, "nuts.csv"), CHAINS)
            return [list(zip(*runs.columns([path]).values())) for path in files]

    def means_agree(self, name, chains, exact):
        """@return the exact mean"""
        batches = [statistics.fmean(chain[i:i + BATCH]) for chain in chains for i in range(0, DRAWS, BATCH)]
        found, expected = statistics.fmean(batches), statistics.fmean(exact)
        error = math.sqrt(statistics.variance(batches) / len(batches) + statistics.variance(exact) / len(exact))
        self.assertLessEqual(abs(found - expected), 5 * error, f"mean of {name}: {found}, exact {expected}")
        self.assertLess(error, statistics.stdev(exact) / math.sqrt(1000), f"{name}: too few effective draws")
        return expected

    def agrees(self, model, quantities):
        """@param quantities name -> function of theta"""
        data = small_data(model)
        chains = self.nuts(model, data)
        exact = runs.generator(model).exact_draws(data, EXACT, 2)[1]
        for name, f in quantities.items():
            with self.subTest(name):
                values, draws = [f(theta) for theta in exact], [[f(theta) for theta in chain] for chain in chains]
                mean = self.means_agree(name, draws, values)
                self.means_agree(f"squared distance of {name}", [[(v - mean)**2 for v in chain] for chain in draws],
                                 [(v - mean)**2 for v in values])

    def test_gaussian(self):
        self.agrees("gaussian", {f"theta {i + 1}": lambda theta, i=i: theta[i] for i in range(4)})

    def test_correlated_gaussian_along_and_across(self):
        self.agrees("correlated_gaussian", {"theta 1": lambda t: t[0], "sum": lambda t: t[0] + t[1],
                                            "difference": lambda t: t[0] - t[1]})

    def test_banana_and_what_it_is_bent_from(self):
        self.agrees("banana", {**{f"theta {i + 1}": lambda t, i=i: t[i] for i in range(3)},
                               "mu 2": lambda t: t[1] + 4 * t[0]**2})

    def test_circle_by_squared_radius_and_position(self):
        self.agrees("circle", {"squared radius": lambda t: t[0]**2 + t[1]**2, "theta 1": lambda t: t[0],
                               "theta 2": lambda t: t[1], "product": lambda t: t[0] * t[1]})

    def test_every_closed_form_is_held_against_nuts(self):
        self.assertEqual(set(SMALL), {m for m in MODELS if hasattr(runs.generator(m), "exact_draws")})

    def test_rows_twice_at_half_the_power_change_nothing(self):
        for model in SMALL:
            with self.subTest(model):
                data = small_data(model)
                twice = {**data, "N": 2 * data["N"],
                         **{name: data[name] * 2 for name in ("x", "r") if name in data}}
                exact = runs.generator(model).exact_draws
                for a, b in zip(exact(data, 10, 2)[1], exact(twice, 10, 2, 0.5)[1]):
                    for x, y in zip(a, b):
                        self.assertAlmostEqual(x, y, places=9)


if __name__ == "__main__":
    unittest.main()
