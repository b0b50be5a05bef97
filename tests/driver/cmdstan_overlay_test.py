"""The overlay on a real CmdStan, named by the environment's CMDSTAN, beside the stand-alone driver.

Both are given the same command lines; what they print, write and return has to agree.
"""
import json
import os
import random
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.environ["ROOT"]
ALONE = os.path.join(os.environ["B"], "tests", "models", "bernoulli")
CMDSTAN = os.environ.get("CMDSTAN", "")
BUDGET = "privacy epsilon=1 delta=1e-6"
RUN = "num_samples=30 num_warmup=30"
DATA = "data file=data.json random seed=1 output file=out.csv sig_figs=17"
SAMPLERS = ("dp_hmc", "dp_penalty", "dp_sgld", "dp_sghmc", "dp_sgnht")
VARIATIONAL = ("dp_meanfield", "dp_fullrank")


def comparable(text):
    """Without what two runs of one program differ in, and the path of the program."""
    text = re.sub(r"start_datetime = .*", "", text)
    text = re.sub(r"[\d.e-]+ seconds", "", text)
    text = re.sub(r"seed = \d+ \(Default\)", "", text)
    return re.sub(r"would take.*", "", text)


@unittest.skipUnless(CMDSTAN, "CMDSTAN does not name a CmdStan")
class Overlay(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Kept: CmdStan's makefile decides whether it is out of date.
        folder = os.path.join(os.environ["B"], "tests", "cmdstan")
        os.makedirs(folder, exist_ok=True)
        cls.program = os.path.join(folder, "bernoulli")
        shutil.copy2(os.path.join(ROOT, "tests", "models", "bernoulli.stan"), cls.program + ".stan")
        environment = {k: v for k, v in os.environ.items() if k != "MAKEFLAGS"}
        subprocess.run(["make", "-C", ROOT, "CMDSTAN=" + CMDSTAN, cls.program], check=True,
                       stdin=subprocess.DEVNULL, env=environment, stdout=subprocess.DEVNULL)

    def run_in_folder(self, program, line):
        """Exit code, output, errors and files of a run."""
        with tempfile.TemporaryDirectory() as folder:
            draw = random.Random(1)
            with open(os.path.join(folder, "data.json"), "w") as f:
                json.dump({"N": 300, "y": [int(draw.random() < 0.3) for _ in range(300)]}, f)
            os.symlink(program, os.path.join(folder, "model"))
            result = subprocess.run(["./model"] + line.split(), cwd=folder, text=True,
                                    capture_output=True, stdin=subprocess.DEVNULL)
            files = {}
            for name in set(os.listdir(folder)) - {"data.json", "model"}:
                with open(os.path.join(folder, name)) as f:
                    files[name] = comparable(f.read())
            return result.returncode, comparable(result.stdout), comparable(result.stderr), files

    def assert_agree(self, line):
        with self.subTest(line):
            alone = self.run_in_folder(ALONE, line)
            overlay = self.run_in_folder(self.program, line)
            self.assertEqual(alone, overlay)
            return alone

    def test_one_noise_seed_gives_one_set_of_draws(self):
        for algorithm in SAMPLERS:
            code, _, err, files = self.assert_agree(
                f"sample {RUN} algorithm={algorithm} {BUDGET} noise_seed=7 {DATA}")
            self.assertEqual(code, 0, err)
            self.assertIn("# privacy: NOT PRIVATE", files["out.csv"])
        for algorithm in VARIATIONAL:
            self.assert_agree(f"variational iter=100 output_samples=20 algorithm={algorithm} {BUDGET} "
                              f"noise_seed=7 {DATA}")

    def test_chains_have_the_same_files(self):
        self.assert_agree(f"sample num_chains=2 {RUN} algorithm=dp_penalty {BUDGET} noise_seed=7 id=3 "
                          f"{DATA} refresh=0")

    def test_cmdstans_own_methods_are_the_same(self):
        for line in (f"sample {RUN} {DATA}", f"variational output_samples=10 {DATA}",
                     "diagnose data file=data.json random seed=1",
                     f"sample {RUN} algorithm=hmc engine=static metric=dense_e {DATA}",
                     f"sample {RUN} algorithm=fixed_param {DATA}"):
            self.assertEqual(self.assert_agree(line)[0], 0)

    def test_other_methods_of_cmdstan_still_work(self):
        for method in ("optimize", "pathfinder"):
            code, _, err, _ = self.run_in_folder(self.program, f"{method} {DATA}")
            self.assertEqual(code, 0, err)

    def test_errors_are_the_same(self):
        hmc = "sample algorithm=dp_hmc"
        for line in (*(f"{hmc} {BUDGET} clip={text} {DATA}"
                       for text in ("1,5", "1e-6junk", "0x10", "inf", "nan", "0", "-1")),
                     f"{hmc} num_leapfrog=1e3 {BUDGET} {DATA}", f"{hmc} {DATA}",
                     f"{hmc} privacy epsilon=1 {DATA}", f"{hmc} privacy epsilon {DATA}",
                     f"{hmc} {BUDGET} privacy clip=1 {DATA}", f"{hmc} {BUDGET} public=a,,b {DATA}",
                     f"{hmc} {BUDGET} neighbors=both {DATA}", f"{hmc} {BUDGET} rows=M {DATA}",
                     f"{hmc} {BUDGET} ledger=none.json {DATA}",
                     f"{hmc} {BUDGET} {DATA} diagnostic_file=d.csv",
                     f"sample adapt save_metric=1 algorithm=dp_hmc {BUDGET} {DATA}",
                     f"sample num_warmup=0 algorithm=dp_hmc {BUDGET} {DATA}",
                     f"sample algorithm=dp_sgld rate=0.1 batch=5 {BUDGET} {DATA}",
                     f"sample algorithm=dp_sgld batch=5 {BUDGET} neighbors=add_remove {DATA}",
                     f"variational tol_rel_obj=0.1 algorithm=dp_meanfield {BUDGET} {DATA}",
                     f"variational adapt engaged=1 algorithm=dp_meanfield {BUDGET} {DATA}",
                     f"diagnose test=row_product rows=M {DATA}"):
            self.assertEqual(self.assert_agree(line)[0], 1)

    def test_row_product_is_the_same(self):
        self.assertEqual(self.assert_agree(f"diagnose test=row_product {DATA}")[0], 0)

    def test_help_shows_the_private_algorithms_beside_hmc(self):
        out = self.run_in_folder(self.program, "help-all")[1]
        alone = self.run_in_folder(ALONE, "help-all")[1]
        begin, end = "        dp_hmc\n", "      num_chains=<int>"
        self.assertEqual(out[out.index(begin):out.index(end)], alone[alone.index(begin):alone.index(end)])


if __name__ == "__main__":
    unittest.main()
