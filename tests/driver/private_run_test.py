"""What a person sees of a private run, and what stays when it is cut short."""
import json
import os
import random
import signal
import subprocess
import tempfile
import time
import unittest

MODELS = os.path.join(os.environ["B"], "tests", "models")
PROGRAM = os.path.join(MODELS, "bernoulli")
PROFILED = os.path.join(MODELS, "sampler_quantities")
TOOL = os.path.join(os.environ["ROOT"], "bin", "privacy")
BUDGET = "privacy epsilon=1 delta=1e-6"
SAMPLERS = ("dp_hmc", "dp_penalty", "dp_sgld", "dp_sghmc", "dp_sgnht")


class PrivateRun(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        draw = random.Random(1)
        self.write("data.json", {"N": 400, "y": [int(draw.random() < 0.3) for _ in range(400)]})

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, value):
        with open(self.path(name), "w") as f:
            json.dump(value, f)

    def read(self, name):
        with open(self.path(name)) as f:
            return f.read()

    def run_driver(self, line, program=PROGRAM):
        return subprocess.run([program] + line.split(), cwd=self.folder, text=True,
                              capture_output=True, stdin=subprocess.DEVNULL)

    def sample(self, algorithm="dp_penalty", budget=BUDGET, data="data.json", file="out.csv"):
        return self.run_driver(f"sample num_samples=20 num_warmup=20 algorithm={algorithm} {budget} "
                               f"data file={data} random seed=1 output file={file}")

    def draws(self, name):
        return [line for line in self.read(name).splitlines() if not line.startswith("#")]

    def make_ledger(self, epsilon=10):
        subprocess.run([TOOL, "ledger", "file=" + self.path("ledger.json"), f"epsilon={epsilon}", "delta=1e-4"],
                       check=True, stdout=subprocess.DEVNULL)

    def ledger_entries(self):
        return len(json.loads(self.read("ledger.json"))["entries"])

    def test_a_ledger_refuses_the_run_that_would_pass_its_total(self):
        # Full-data Gaussians add up mu: a run at (1, 1e-6) has 0.0280, a total of (0.8, 1e-4) allows 0.0332.
        self.make_ledger(epsilon=0.8)
        first = self.sample(budget=BUDGET + " ledger=ledger.json")
        self.assertEqual(first.returncode, 0, first.stdout + first.stderr)
        self.assertIn("The ledger ledger.json now holds 1 run", first.stdout)
        second = self.sample(budget=BUDGET + " ledger=ledger.json", file="second.csv")
        self.assertNotEqual(second.returncode, 0)
        self.assertIn("would pass its total with this run", second.stdout + second.stderr)
        self.assertEqual(self.ledger_entries(), 1)

    def test_a_missing_ledger_and_one_for_a_run_that_is_not_private_are_refused(self):
        missing = self.sample(budget=BUDGET + " ledger=ledger.json")
        self.assertNotEqual(missing.returncode, 0)
        self.assertIn("make it with its total", missing.stdout + missing.stderr)
        self.make_ledger()
        seeded = self.sample(budget=BUDGET + " ledger=ledger.json noise_seed=1")
        self.assertNotEqual(seeded.returncode, 0)
        self.assertIn("leave ledger= away", seeded.stdout + seeded.stderr)
        self.assertEqual(self.ledger_entries(), 0)

    def test_the_terminal_says_what_is_spent_and_protected(self):
        result = self.sample()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("This run will spend epsilon = 1 at delta = 1e-06", result.stdout)
        self.assertIn("Protected data: y.", result.stdout)
        self.assertIn("against at most clip x units = 400", result.stdout)
        self.assertIn("Spent epsilon = 1 at delta = 1e-06", result.stdout)
        text = self.read("out.csv")
        self.assertIn("# privacy: epsilon = 1\n", text)
        self.assertNotIn("NOT PRIVATE", text + result.stdout)
        self.assertNotRegex(text, r"Elapsed Time: \d")

    def test_switches_that_undo_privacy_are_announced(self):
        for budget in (BUDGET + " noise_seed=1", "privacy engaged=0"):
            result = self.sample(budget=budget)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("NOT PRIVATE", result.stdout)
            self.assertIn("# privacy: NOT PRIVATE", self.read("out.csv"))

    def test_a_noise_seed_repeats_the_draws_and_without_it_they_differ(self):
        for algorithm in SAMPLERS:
            with self.subTest(algorithm):
                for name in "ab":
                    result = self.sample(algorithm, BUDGET + " noise_seed=5", file=name + ".csv")
                    self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(self.draws("a.csv"), self.draws("b.csv"))
                for name in "cd":
                    self.sample(algorithm, file=name + ".csv")
                self.assertNotEqual(self.draws("c.csv"), self.draws("d.csv"))

    def test_add_remove_does_not_show_the_number_of_units(self):
        result = self.sample(budget=BUDGET + " neighbors=add_remove")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("400", result.stdout)
        self.assertNotIn("num_units", self.read("out.csv"))

    def test_messages_and_exit_do_not_depend_on_a_rows_value(self):
        # 7 is outside of y's declared bounds: NUTS refuses it, a private run may not show it.
        bad = json.loads(self.read("data.json"))
        bad["y"][3] = 7
        self.write("bad.json", bad)
        good, bad = self.sample(), self.sample(data="bad.json")
        strip = lambda text: [line for line in text.splitlines() if "Elapsed" not in line
                              and "file = " not in line]
        self.assertEqual((good.returncode, strip(good.stdout), good.stderr),
                         (bad.returncode, strip(bad.stdout), bad.stderr))

    def test_only_a_run_that_is_not_private_writes_a_profile(self):
        # How often and how long rows were evaluated: the sizes of the subsamples are in it.
        self.write("data.json", {"N": 20, "y": [0.1 * n for n in range(20)]})
        sample = "sample num_samples=10 num_warmup=10 algorithm="
        private = [sample + algorithm + " " + BUDGET for algorithm in SAMPLERS]
        private.append(f"variational iter=10 output_samples=5 algorithm=dp_meanfield {BUDGET}")
        for engaged in ("", " engaged=0"):
            for line in private:
                for profile in ("", " profile_file=times.csv"):
                    with self.subTest(line + engaged + profile):
                        result = self.run_driver(line + engaged + " data file=data.json output file=out.csv" + profile,
                                                 PROFILED)
                        self.assertEqual(result.returncode, 0, result.stderr)
                        self.assertEqual(set(os.listdir(self.folder)), {"data.json", "out.csv"})
                        self.assertNotIn("likelihood", result.stdout + result.stderr + self.read("out.csv"))
        self.run_driver(sample + "hmc data file=data.json output file=out.csv profile_file=times.csv", PROFILED)
        self.assertIn("\nlikelihood,", self.read("times.csv"))

    def test_data_that_cannot_be_divided_is_refused(self):
        result = self.sample(budget=BUDGET + " rows=M")
        self.assertEqual(result.returncode, 1)
        self.assertIn("M", result.stderr)

    def test_an_unwritable_output_costs_nothing(self):
        self.make_ledger()
        os.symlink("/dev/full", self.path("full.csv"))
        for file in ("none/out.csv", "full.csv"):
            result = self.sample(budget=BUDGET + " ledger=ledger.json", file=file)
            self.assertEqual(result.returncode, 1, result.stdout)
            self.assertIn("Can't ", result.stderr)
            self.assertEqual(self.ledger_entries(), 0)
        self.assertEqual(self.sample(budget=BUDGET + " ledger=ledger.json").returncode, 0)
        self.assertEqual(self.ledger_entries(), 1)

    def test_an_interrupted_run_stays_charged_and_ends_at_a_whole_line(self):
        self.make_ledger()
        for count, which in enumerate((signal.SIGINT, signal.SIGTERM), 1):
            line = (f"sample num_samples=1000000 num_warmup=20 algorithm=dp_penalty {BUDGET} "
                    "ledger=ledger.json data file=data.json output file=out.csv")
            process = subprocess.Popen([PROGRAM] + line.split(), cwd=self.folder, text=True,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            while not (os.path.exists(self.path("out.csv")) and len(self.draws("out.csv")) > 5):
                self.assertIsNone(process.poll(), "the run ended before the signal")
                time.sleep(0.05)
            process.send_signal(which)
            _, err = process.communicate()
            self.assertEqual(process.returncode, 128 + which, err)
            self.assertEqual(self.ledger_entries(), count)
            self.assertTrue(self.read("out.csv").endswith("\n"))
            header, *rows = self.draws("out.csv")
            self.assertEqual({len(row.split(",")) for row in rows}, {len(header.split(","))})
            os.remove(self.path("out.csv"))


if __name__ == "__main__":
    unittest.main()
