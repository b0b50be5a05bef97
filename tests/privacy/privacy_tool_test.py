"""The command-line tool bin/privacy."""

import os
import subprocess
import tempfile
import unittest

TOOL = os.path.join(os.environ["ROOT"], "bin", "privacy")


def run(*words, text=""):
    return subprocess.run([TOOL, *words], input=text, capture_output=True,
                          text=True, check=False)


class PrivacyToolTest(unittest.TestCase):
    def figure(self, name, *words, text=""):
        done = run(*words, text=text)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        found, value = done.stdout.splitlines()[-1].split(" = ")
        self.assertEqual(found, name)
        return float(value)

    def refused(self, sentence, *words, text=""):
        done = run(*words, text=text)
        self.assertEqual((done.returncode, done.stdout), (64, ""), words)
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertIn(sentence, done.stderr)

    def test_epsilon_of_a_plan_meets_the_reference_table(self):
        # z_t = sqrt(2 / (eta_t L^2)), eta_t = 3 t^(-1/3), L = 0.7
        plan = "".join(
            f"0.01,{(2 / (3 * t ** (-1 / 3) * 0.7**2)) ** 0.5!r},10\n"
            for t in range(1, 201))
        value = self.figure("epsilon", "epsilon", "delta=1e-5", "plan=-",
                            "neighbors=add_remove", text=plan)
        self.assertAlmostEqual(value, 0.763, delta=5e-4)

    def test_plan_may_be_a_file_with_comments(self):
        with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
            file.write("# rate,noise,count\n\n1, 4, 1\r\n")
            file.flush()
            for relation, expected in [("add_remove", 0.926),
                                       ("substitute", 1.993)]:
                value = self.figure("epsilon", "epsilon", "delta=1e-5",
                                    f"plan={file.name}",
                                    f"neighbors={relation}")
                self.assertAlmostEqual(value, expected, delta=5e-4)

    def test_substitution_is_the_default_relation(self):
        value = self.figure("epsilon", "epsilon", "delta=1e-5", "plan=-",
                            text="1,4,1\n")
        self.assertAlmostEqual(value, 1.993, delta=5e-4)

    def test_noise_and_epsilon_are_inverses(self):
        noise = self.figure("noise", "noise", "epsilon=1.5", "delta=1e-6",
                            "rate=0.02", "count=500")
        value = self.figure("epsilon", "epsilon", "delta=1e-6", "plan=-",
                            text=f"0.02,{noise!r},500\n")
        self.assertLessEqual(value, 1.5)
        self.assertGreaterEqual(value, 0.999 * 1.5)

    def test_steps_are_as_many_as_fit(self):
        steps = self.figure("steps", "steps", "epsilon=1.5", "delta=1e-6",
                            "rate=0.02", "noise=2")
        costs = [self.figure("epsilon", "epsilon", "delta=1e-6", "plan=-",
                             text=f"0.02,2,{n}\n")
                 for n in (int(steps), int(steps) + 1)]
        self.assertLessEqual(costs[0], 1.5)
        self.assertGreater(costs[1], 1.5)

    def test_accountants_are_ordered(self):
        costs = [self.figure("epsilon", "epsilon", "delta=1e-6", "plan=-",
                             f"accountant={kind}", text="1,5,10\n")
                 for kind in ("pld", "rdp", "zcdp")]
        self.assertLess(costs[0], costs[1])
        self.assertLess(costs[1], costs[2])

    def test_bad_numbers_are_refused(self):
        for bad in ["1,5", "1e-6junk", "0x10", "inf", "nan", "", " 1"]:
            self.refused("is not a decimal number", "noise", f"epsilon={bad}",
                         "delta=1e-6", "rate=1", "count=1")
        for bad in ["1e3", "1.0", "ten", "", "0x10"]:
            self.refused("is not a whole number", "noise", "epsilon=1",
                         "delta=1e-6", "rate=1", f"count={bad}")

    def test_values_out_of_range_are_refused(self):
        good = {"epsilon": "1", "delta": "1e-6", "rate": "0.1", "count": "10"}
        for name, values in {"epsilon": ["0", "-1"], "delta": ["0", "1", "2"],
                             "rate": ["0", "1.1"],
                             "count": ["0", "-1"]}.items():
            for value in values:
                words = [f"{k}={v}" for k, v in {**good, name: value}.items()]
                self.refused("has to be", "noise", *words)
        self.refused("has to be", "steps", "epsilon=1", "delta=1e-6", "rate=1",
                     "noise=0")

    def test_bad_plans_are_refused(self):
        for line in ["1,4", "1,4,1,1", "1,4,1.5", "1,4,1e3", "a,b,c", "1;4;1",
                     "1,4,1,"]:
            self.refused("Line 1 of the plan", "epsilon", "delta=1e-6",
                         "plan=-", text=line + "\n")
        self.refused("has no lines", "epsilon", "delta=1e-6", "plan=-")
        self.refused("cannot be read", "epsilon", "delta=1e-6",
                     "plan=/nonexistent/plan")
        self.refused("noise multiplier", "epsilon", "delta=1e-6", "plan=-",
                     text="1,0,1\n")

    def test_bad_words_are_refused(self):
        self.refused("needs a command")
        self.refused("has no command", "epsilom")
        self.refused("does not know", "epsilon", "delta=1e-5", "plna=-")
        self.refused("does not know", "epsilon", "delta")
        self.refused("needs 'delta='", "epsilon", "plan=-")
        self.refused("given twice", "epsilon", "delta=1e-5", "delta=1e-6")
        self.refused("is not one of", "epsilon", "delta=1e-5", "plan=-",
                     "neighbors=both", text="1,1,1")
        self.refused("is not one of", "epsilon", "delta=1e-5", "plan=-",
                     "accountant=best", text="1,1,1")
        self.refused("has to be 1", "epsilon", "delta=1e-5", "plan=-",
                     "accountant=zcdp", text="0.5,1,1")

    def test_help_names_all_commands(self):
        done = run("help")
        self.assertEqual(done.returncode, 0)
        for command in ("epsilon", "noise", "steps"):
            self.assertIn(f"  {command} ", done.stdout)

    def test_ledger_is_made_once_and_shown(self):
        with tempfile.TemporaryDirectory() as folder:
            file = "file=" + os.path.join(folder, "ledger.json")
            self.refused("make it with its total", "ledger", file)
            self.assertEqual(
                self.figure("used", "ledger", file, "epsilon=3",
                            "delta=1e-5"), 0)
            self.assertEqual(self.figure("used", "ledger", file), 0)
            self.refused("File exists", "ledger", file, "epsilon=30",
                         "delta=1e-5")

    def test_ledger_needs_a_proper_total(self):
        with tempfile.TemporaryDirectory() as folder:
            file = "file=" + os.path.join(folder, "ledger.json")
            for sentence, words in [
                    ("needs 'delta='", ["epsilon=1"]),
                    ("above zero", ["epsilon=-1", "delta=1e-5"]),
                    ("not one of gaussian, renyi and basic",
                     ["epsilon=1", "delta=1e-5", "composition=best"])]:
                self.refused(sentence, "ledger", file, *words)
                self.assertEqual(os.listdir(folder), [])


if __name__ == "__main__":
    unittest.main()
