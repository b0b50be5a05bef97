"""What private algorithms write is read by the clients as any CmdStan output."""
import json
import logging
import os
import random
import subprocess
import tempfile
import unittest
import warnings

import environment

SAMPLERS = ("dp_hmc", "dp_penalty", "dp_sgld", "dp_sghmc", "dp_sgnht")
VARIATIONAL = ("dp_meanfield", "dp_fullrank")
BUDGET = ["privacy", "epsilon=2", "delta=1e-6", "noise_seed=1"]


class PrivateOutput(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        environment.use_python()
        warnings.simplefilter("ignore")
        import arviz
        import cmdstanpy
        logging.getLogger("cmdstanpy").disabled = True
        cls.arviz, cls.cmdstanpy = arviz, cmdstanpy
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        draw = random.Random(1)
        with open(os.path.join(cls.folder, "data.json"), "w") as f:
            json.dump({"N": 500, "y": [int(draw.random() < 0.3) for _ in range(500)]}, f)

    def run_private(self, *words):
        result = subprocess.run([environment.model("bernoulli"), *words], cwd=self.folder, text=True,
                                capture_output=True, stdin=subprocess.DEVNULL)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def sample(self, algorithm):
        """Files of two chains."""
        self.run_private("sample", "num_chains=2", "num_samples=60", "num_warmup=40",
                         "algorithm=" + algorithm, *BUDGET, "data", "file=data.json", "random",
                         "seed=1", "output", f"file={algorithm}.csv")
        return [os.path.join(self.folder, f"{algorithm}_{chain}.csv") for chain in (1, 2)]

    def test_cmdstanpy_and_arviz_read_every_sampler(self):
        for algorithm in SAMPLERS:
            with self.subTest(algorithm):
                fit = self.cmdstanpy.from_csv(self.sample(algorithm))
                self.assertEqual(fit.draws().shape[:2], (60, 2))
                self.assertEqual(fit.metadata.cmdstan_config["algorithm"], algorithm)
                self.assertEqual(fit.metadata.cmdstan_config["epsilon"], 2)
                theta = fit.stan_variable("theta")
                self.assertTrue(((theta > 0) & (theta < 1)).all())
                summary = self.arviz.summary(self.arviz.from_cmdstanpy(fit))
                self.assertAlmostEqual(summary.loc["theta", "mean"], theta.mean(), delta=0.001)

    def test_stansummary_and_diagnose_read_every_sampler(self):
        for algorithm in SAMPLERS:
            with self.subTest(algorithm):
                files = self.sample(algorithm)
                for name, wanted in (("stansummary", "2 chains: each with iter=60; warmup=40"),
                                     ("diagnose", "Processing complete")):
                    result = subprocess.run([environment.tool(name), *files], text=True,
                                            capture_output=True)
                    self.assertEqual(result.returncode, 0, result.stderr)
                    self.assertIn(wanted, result.stdout)

    def test_cmdstanpy_reads_every_variational_fit(self):
        for algorithm in VARIATIONAL:
            with self.subTest(algorithm):
                self.run_private("variational", "algorithm=" + algorithm, *BUDGET, "iter=200",
                                 "output_samples=50", "data", "file=data.json", "output",
                                 f"file={algorithm}.csv")
                fit = self.cmdstanpy.from_csv(os.path.join(self.folder, algorithm + ".csv"))
                self.assertEqual(fit.variational_sample.shape, (50, 5))

    def test_generate_quantities_reads_a_private_fit(self):
        files = self.sample("dp_penalty")
        self.run_private("generate_quantities", "fitted_params=" + files[0], "data",
                         "file=data.json", "output", "file=gq.csv")
        with open(os.path.join(self.folder, "gq.csv")) as f:
            rows = [line for line in f if not line.startswith("#")]
        self.assertEqual(len(rows), 61)


if __name__ == "__main__":
    unittest.main()
