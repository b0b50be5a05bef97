"""cmdstanpy drives the stand-alone driver as it drives CmdStan's executables."""
import logging
import os
import tempfile
import unittest
import warnings

import environment

DATA = {"N": 10, "y": [0, 1, 0, 0, 0, 0, 0, 0, 0, 1]}


class CmdStanPy(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        environment.use_python()
        warnings.simplefilter("ignore")
        import cmdstanpy
        logging.getLogger("cmdstanpy").disabled = True
        cls.model = cmdstanpy.CmdStanModel(exe_file=environment.model("bernoulli"))

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def sample(self, **options):
        return self.model.sample(data=DATA, seed=1, show_progress=False, output_dir=self.folder,
                                 **options)

    def test_the_executable_introduces_itself(self):
        info = self.model.exe_info()
        self.assertEqual(info["STAN_THREADS"], "true")
        self.assertEqual(info["stan_version_minor"], "35")

    def test_sample_runs_four_chains(self):
        fit = self.sample(chains=4, iter_warmup=300, iter_sampling=500)
        self.assertEqual(fit.chains, 4)
        self.assertEqual(fit.draws().shape, (500, 4, 9))
        # beta(3, 9): mean 1/4, sd 0.12; 2000 draws with at least 400 effective: 4 errors = 0.024
        self.assertAlmostEqual(fit.stan_variable("theta").mean(), 0.25, delta=0.024)
        self.assertEqual(fit.metric_type, "diag_e")
        self.assertEqual(fit.step_size.shape, (4,))
        self.assertEqual(fit.divergences.tolist(), [0, 0, 0, 0])

    def test_sample_options_reach_the_driver(self):
        fit = self.sample(chains=2, parallel_chains=1, iter_warmup=100, iter_sampling=50, thin=2,
                          save_warmup=True, max_treedepth=3, metric="dense_e", adapt_delta=0.95,
                          inits={"theta": 0.5}, sig_figs=12)
        self.assertEqual(fit.draws(inc_warmup=True).shape, (75, 2, 9))
        self.assertEqual(fit.metric_type, "dense_e")
        self.assertEqual(fit.metadata.cmdstan_config["delta"], 0.95)
        self.assertEqual(fit.metadata.cmdstan_config["sig_figs"], 12)

    def test_fixed_param(self):
        fit = self.sample(fixed_param=True, chains=1, iter_sampling=10)
        self.assertEqual(fit.draws().shape[0], 10)

    def test_threads_run_chains_in_one_process(self):
        fit = self.sample(chains=2, parallel_chains=2, threads_per_chain=1, iter_warmup=100,
                          iter_sampling=20, force_one_process_per_chain=False)
        self.assertEqual(fit.draws().shape, (20, 2, 9))
        self.assertTrue(fit.runset.one_process_per_chain is False)

    def test_variational(self):
        for algorithm in ("meanfield", "fullrank"):
            fit = self.model.variational(data=DATA, seed=1, algorithm=algorithm, draws=200,
                                         output_dir=self.folder)
            self.assertEqual(fit.variational_sample.shape, (200, 5))
            # ADVI's normal on the logit scale; its mean of theta lies within a posterior sd of 1/4
            self.assertAlmostEqual(fit.stan_variable("theta", mean=False).mean(), 0.25, delta=0.12)

    def test_generate_quantities(self):
        fit = self.sample(chains=2, iter_warmup=100, iter_sampling=20, sig_figs=17)
        # Files are named by the second: the same folder could mean the same name.
        again = self.model.generate_quantities(data=DATA, previous_fit=fit, sig_figs=17,
                                               gq_output_dir=os.path.join(self.folder, "gq"))
        difference = again.stan_variable("log_odds") - fit.stan_variable("log_odds")
        self.assertLess(abs(difference).max(), 1e-9)

    def test_errors_arrive(self):
        with self.assertRaisesRegex(RuntimeError, "(?s)Error during sampling.*"):
            self.model.sample(data={"N": 2, "y": [0, 2]}, chains=1, show_progress=False,
                              output_dir=self.folder)

    def test_arviz_summarizes(self):
        import arviz
        fit = self.sample(chains=2, iter_warmup=200, iter_sampling=300)
        summary = arviz.summary(arviz.from_cmdstanpy(fit))
        self.assertAlmostEqual(summary.loc["theta", "mean"], 0.25, delta=0.08)


if __name__ == "__main__":
    unittest.main()
