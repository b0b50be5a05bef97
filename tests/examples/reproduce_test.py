"""The smallest form of each figure of examples/reproduce runs and writes its table, chart and page."""
import csv
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = os.environ["ROOT"]
FOLDER = os.path.join(ROOT, "examples", "reproduce")


class Reproduce(unittest.TestCase):
    def run_figure(self, name, folder, **options):
        return subprocess.run([sys.executable, os.path.join(FOLDER, name + ".py")], text=True, capture_output=True,
                              env={**os.environ, "quick": "smoke", "REPRODUCE_OUTPUT": folder, **options})

    def folder(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        return made.name

    def make(self, name, folder=None, **options):
        """Rows of the table, as dictionaries."""
        folder = folder or self.folder()
        result = self.run_figure(name, folder, **options)
        self.assertEqual(result.returncode, 0, result.stdout[-2000:] + result.stderr[-2000:])
        stem = os.path.join(folder, name, name)
        xml.etree.ElementTree.parse(stem + ".svg")
        with open(stem + ".md") as f:
            self.assertIn(f"]({name}.svg)", f.read())
        with open(stem + ".csv", newline="") as f:
            return list(csv.DictReader(f))

    def test_accountants_meet_the_printed_figures(self):
        # The paper prints three decimals.
        rows = self.make("accountants")
        self.assertEqual(len(rows), 9)
        for row in rows:
            self.assertAlmostEqual(float(row["PLD"]), float(row["paper PLD"]), delta=0.0006)
            self.assertLess(float(row["PLD"]), float(row["Renyi"]))

    def test_the_tight_accountant_allows_most_iterations(self):
        for row in self.make("iterations"):
            self.assertGreater(int(row["tight"]), int(row["loose"]))

    def test_tight_steps_are_larger_than_the_first_bound(self):
        for row in self.make("stepsizes"):
            self.assertGreater(float(row["this project, fixed"]), float(row["Wang et al. 2015"]))
            self.assertGreater(float(row["this project, decreasing"]), float(row["this project, fixed"]))

    def test_banana_and_gaussian_runs_every_algorithm(self):
        rows = self.make("banana_and_gaussian")
        self.assertEqual(len({(r["model"], r["algorithm"]) for r in rows}), 12)

    def test_a_figure_goes_on_where_it_was_stopped(self):
        folder = self.folder()
        first = self.make("banana_and_gaussian", folder, models="banana", algorithms="dp_penalty")
        again = self.make("banana_and_gaussian", folder, models="banana", algorithms="dp_hmc from exact draws,dp_penalty",
                          resume="1")
        self.assertEqual([r["algorithm"] for r in again], ["dp_hmc from exact draws", "dp_penalty"])
        # Also its seconds: the row was not made anew.
        self.assertEqual(again[1], first[0])
        other = self.run_figure("banana_and_gaussian", folder, models="banana", algorithms="dp_penalty", resume="1",
                                neighbors="add_remove")
        self.assertEqual(other.returncode, 1)
        self.assertIn("was made with other settings: give those, or leave out resume=1.", other.stderr)

    def test_chains_begin_at_exact_draws_only_where_that_is_asked_for(self):
        for algorithm, expected in (("dp_hmc", False), ("dp_hmc from exact draws", True)):
            folder = self.folder()
            self.make("banana_and_gaussian", folder, models="banana", algorithms=algorithm)
            folder = os.path.join(folder, "banana_and_gaussian", "banana")
            with open(os.path.join(folder, "exact.csv"), newline="") as f:
                draws = {tuple(f"{float(v):.6g}" for v in row) for row in list(csv.reader(f))[1:]}
            for chain in range(1, 5):
                with open(os.path.join(folder, f"start_1_{chain}.json")) as f:
                    start = tuple(f"{v:.6g}" for v in json.load(f)["theta"])
                self.assertEqual(start in draws, expected, algorithm)

    def test_a_name_that_is_none_is_told(self):
        for option, words in (("algorithms", "dp_hmc,nuts"), ("models", "nuts"), ("eigenvalues", "nuts")):
            result = self.run_figure("banana_and_gaussian", self.folder(), **{option: words})
            self.assertEqual(result.returncode, 1)
            self.assertRegex(result.stderr, f"^{option}=nuts: there is none of that name; there are: ")

    def test_hard_posteriors_runs_every_model(self):
        rows = self.make("hard_posteriors")
        self.assertEqual(len({(r["model"], r["algorithm"]) for r in rows}), 12)

    def test_clipping_runs_both_algorithms_in_both_dimensions(self):
        rows = self.make("clipping")
        self.assertEqual(len({(r["model"], r["algorithm"]) for r in rows}), 4)
        for row in (r for r in rows if r["clip bound"] == "1000"):
            self.assertEqual(float(row["clipped"]), 0)
        for row in (r for r in rows if r["clip bound"] != "1000" and r["algorithm"] == "random walk"):
            self.assertGreater(float(row["clipped"]), 0)
        # Chains with the same seed differ only by what is clipped: the bound reaches the sampler.
        self.assertEqual(len({(r["model"], r["algorithm"], r["acceptance"]) for r in rows}), len(rows))

    def test_a_ratio_beyond_the_bound_times_the_distance_is_clipped(self):
        sys.path.insert(0, FOLDER)
        import clipping
        # From (0, 0) to (1, 0): the means go from (0, 0) to (1, a), and with sd (1, 2) the log likelihood ratio of a row is
        # x_1 - 1/2 + a (x_2 - a/2) / 4. For a = 2 that is x_1 - 1 + x_2 / 2: -2, -1/2, 1/4 and 3 here.
        data = {"N": 4, "a": 2.0, "sigma": [1.0, 2.0], "x": [[-1.0, 0.0], [0.0, 1.0], [1.0, 0.5], [2.0, 4.0]]}
        move = [([0.0, 0.0], [1.0, 0.0])]
        for bound, scale, expected in ((0.2, 1, 1), (1.5, 1, 0.5), (2.5, 1, 0.25), (4, 1, 0), (1, 0.4, 0.25), (1, 0.1, 0)):
            found = clipping.clipped_fraction(data, move, [scale, 1.0], bound, random.Random(1))
            self.assertEqual(found, expected, (bound, scale))

    def test_every_command_is_in_the_list(self):
        with open(os.path.join(FOLDER, "README.md")) as f:
            page = f.read()
        commands = subprocess.run(["make", "-s", "-C", ROOT, "-n", "reproduce"], text=True, capture_output=True, check=True)
        names = re.findall(r"examples/reproduce/(\w+)\.py", commands.stdout)
        self.assertGreaterEqual(len(names), 8)
        for name in names:
            self.assertIn(f"`make reproduce/{name}`", page)

    def test_adult_runs_both_algorithms(self):
        if "DP_DATA" not in os.environ:
            self.skipTest("DP_DATA is not set: it names the folder with adult.data.gz")
        self.assertEqual({r["algorithm"] for r in self.make("adult")},
                         {"dp_sgld, clip 3", "dp_sgld, clip 0.3", "dp_meanfield, clip 3"})

    def test_without_its_data_adult_is_left_out_and_says_so(self):
        environment = {k: v for k, v in os.environ.items() if k != "DP_DATA"}
        result = subprocess.run([sys.executable, os.path.join(FOLDER, "adult.py")], text=True, capture_output=True,
                                env={**environment, "quick": "smoke"})
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("left out. DP_DATA is not set", result.stdout)

    def test_mixture_runs_both_algorithms(self):
        self.assertEqual({(r["algorithm"], r["epsilon"]) for r in self.make("dpvi_mixture")},
                         {("dp_meanfield", "1"), ("dp_sgld", "1"), ("dp_meanfield", "not private")})

    def test_dpvi_accuracy_runs(self):
        if "DP_DATA" not in os.environ:
            self.skipTest("DP_DATA is not set: it names the folder with abalone.data")
        rows = self.make("dpvi_accuracy")
        self.assertEqual([(r["algorithm"], r["epsilon"]) for r in rows],
                         [("dp_meanfield", "not private"), ("dp_meanfield", "1"), ("dp_sgld", "1")])
        for row in rows:
            self.assertGreater(float(row["accuracy"]), 0.6)

    def test_radon_runs(self):
        if "DP_DATA" not in os.environ:
            self.skipTest("DP_DATA is not set: it names the folder with radon_all.json.gz")
        rows = self.make("radon")
        self.assertEqual(len([r for r in rows if r["task"].startswith("radon")]), 4)


if __name__ == "__main__":
    unittest.main()
