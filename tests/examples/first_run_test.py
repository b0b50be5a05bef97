"""The page examples/first_run/README.md does what it says, line by line."""
import os
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = os.environ["ROOT"]
PAGE = os.path.join(ROOT, "examples", "first_run", "README.md")
sys.path.insert(0, os.path.join(ROOT, "tests", "clients"))


def lines_of_page():
    with open(PAGE) as f:
        blocks = re.findall(r"^```sh\n(.*?)^```", f.read(), re.M | re.S)
    return [line for block in blocks for line in block.splitlines() if line]


class FirstRun(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """Runs the lines of the page; the folder mine/ is a fresh one."""
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.printed, cls.failed = {}, []
        for line in lines_of_page():
            if "read.py" in line:
                continue
            words = line.replace("mine/", cls.folder.name + "/")
            result = subprocess.run(words, shell=True, cwd=ROOT, text=True, capture_output=True)
            cls.printed[line] = result.stdout
            if result.returncode != 0:
                cls.failed.append(f"{line}\n{result.stdout[-500:]}{result.stderr[-500:]}")
                break

    def setUp(self):
        if self.failed:
            self.fail(self.failed[0])

    def output(self, part):
        return next(text for line, text in self.printed.items() if part in line)

    def draws(self, name):
        with open(os.path.join(self.folder.name, name)) as f:
            rows = [line.split(",") for line in f if line.strip() and not line.startswith("#")]
        return [{n.strip(): float(v) for n, v in zip(rows[0], row)} for row in rows[1:]]

    def test_every_line_runs(self):
        self.assertGreater(len(self.printed), 15)

    def test_less_privacy_needs_less_noise(self):
        noise = [float(self.output(f"noise epsilon={e}").split("=")[1]) for e in (1, 2)]
        self.assertLess(noise[1], noise[0])

    def test_the_comparison_names_all_parameters(self):
        for part in ("try_vi.csv plot", "try_hmc.csv plot"):
            for parameter in ("alpha", "by_age", "by_distance"):
                self.assertIn(parameter, self.output(part))

    def test_the_private_fit_finds_what_made_the_data(self):
        # The data has 0.3, 0.5 and -1.2. With 20,000 rows a posterior sd is below 0.035; privacy noise of
        # dp_meanfield adds less than that again (see the page's comparison): 0.35 is more than seven of the two.
        mean = self.draws("private_vi.csv")[0]
        for name, truth in (("alpha", 0.3), ("by_age", 0.5), ("by_distance", -1.2)):
            self.assertAlmostEqual(mean[name], truth, delta=0.35)

    def test_the_file_says_what_it_cost(self):
        self.assertRegex(self.output("grep"), r"epsilon = 1\b")

    def test_python_clients_read_both(self):
        import environment
        environment.use_python()
        line = next(line for line in lines_of_page() if "read.py" in line)
        words = line.replace("mine/", self.folder.name + "/").split()[1:]
        path = os.pathsep.join(p for p in sys.path if "site-packages" in p)
        result = subprocess.run([sys.executable] + words, cwd=ROOT, text=True, capture_output=True,
                                env={**os.environ, "PYTHONPATH": path})
        self.assertEqual(result.returncode, 0, result.stderr[-1000:])
        for parameter in ("alpha", "by_age", "by_distance"):
            self.assertEqual(result.stdout.count(parameter + " "), 2)


if __name__ == "__main__":
    unittest.main()
