"""The example of private variational inference, with few repeats."""
import os
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "examples", "dpvi")]
import classification  # noqa: E402
import data_sets  # noqa: E402
import mixture  # noqa: E402


def build(model):
    subprocess.run(["make", "--no-print-directory", f"stan_models/{model}/model"], cwd=ROOT, check=True,
                   stdout=subprocess.DEVNULL)


@unittest.skipUnless(os.environ.get("DP_DATA"), "DP_DATA is not set: Adult and Abalone are not here")
class ClassificationTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        build("logistic_regression")

    def difference(self, name, repeats):
        """Accuracy at epsilon = 1 less that of the run without privacy; the files that were written are read."""
        data = data_sets.load(name)
        with tempfile.TemporaryDirectory() as folder:
            found = {name: classification.run_all(data, [1.0], repeats, 1e-3, folder)}
            rows = classification.write(found, {name: data.settings}, repeats, 1e-3, folder)
            xml.etree.ElementTree.parse(os.path.join(folder, name + ".svg"))
            with open(os.path.join(folder, "classification.md")) as f:
                self.assertIn(f"rate {data.settings['rate']}, clip {data.settings['clip']}", f.read())
        self.assertEqual([row[1] for row in rows], ["not private", 1.0])
        return rows[1][4]

    def test_adult_is_within_a_percentage_point_of_the_run_without_privacy(self):
        self.assertGreaterEqual(self.difference("adult", 2), -0.01)

    def test_abalone_is_within_two_percentage_points_of_the_run_without_privacy(self):
        self.assertGreaterEqual(self.difference("abalone", 4), -0.02)

    def test_splits_have_the_papers_sizes(self):
        training, x, y = data_sets.load("adult").split(0)
        self.assertEqual((training["N"], training["K"], len(x), len(y)), (39074, 14, 9768, 9768))


class MixtureTest(unittest.TestCase):
    def test_predictive_density_of_one_component_is_gaussian(self):
        # log N((1, 0) | (0, 0), I / 2) = -log(pi) - 1
        found = mixture.predictive([(1.0, 0.0)], [[(0.0, (0.0, 0.0), 0.5)]] * 3)
        self.assertAlmostEqual(found, -2.1447298858494)

    def test_both_methods_stand_side_by_side(self):
        build("gaussian_mixture")
        with tempfile.TemporaryDirectory() as folder:
            found, level = mixture.run_all([1.0], 1, 1e-3, folder)
            mixture.write(found, level, 1, 1e-3, folder)
            xml.etree.ElementTree.parse(os.path.join(folder, "mixture.svg"))
            with open(os.path.join(folder, "mixture.csv")) as f:
                methods = {line.split(",")[0] for line in f.read().splitlines()[1:]}
        self.assertEqual(methods, {"dp_meanfield", "dp_sgld"})


if __name__ == "__main__":
    unittest.main()
