"""What a user of the stand-alone driver types and reads."""
import json
import os
import re
import resource
import signal
import subprocess
import tempfile
import time
import unittest

PROGRAM = os.path.join(os.environ["B"], "tests", "models", "bernoulli")
DATA = {"N": 10, "y": [0, 1, 0, 0, 0, 0, 0, 0, 0, 1]}


class Driver(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        with open(self.path("data.json"), "w") as f:
            json.dump(DATA, f)

    def path(self, name):
        return os.path.join(self.folder, name)

    def run_driver(self, line, **options):
        return subprocess.run([PROGRAM] + line.split(), cwd=self.folder, text=True,
                              capture_output=True, stdin=subprocess.DEVNULL, **options)

    def read(self, name):
        with open(self.path(name)) as f:
            return f.read()

    def draws(self, name):
        """Rows of numbers, and the header before them."""
        rows = [line for line in self.read(name).splitlines() if not line.startswith("#")]
        return rows[0].split(","), [[float(x) for x in row.split(",")] for row in rows[1:]]

    def assert_refused(self, line, message):
        result = self.run_driver(line)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn(message, result.stderr)


class Methods(Driver):
    def test_nuts_writes_cmdstans_csv(self):
        result = self.run_driver("sample num_samples=20 num_warmup=150 data file=data.json "
                                 "random seed=1 output file=out.csv")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("Iteration:   1 / 170 [  0%]  (Warmup)", result.stdout)
        self.assertIn("Iteration: 170 / 170 [100%]  (Sampling)", result.stdout)
        header, rows = self.draws("out.csv")
        self.assertEqual(header, "lp__,accept_stat__,stepsize__,treedepth__,n_leapfrog__,"
                                 "divergent__,energy__,theta,log_odds".split(","))
        self.assertEqual(len(rows), 20)
        text = self.read("out.csv")
        self.assertRegex(text, r"^# stan_version_major = 2\n# stan_version_minor = 35\n"
                               r"# stan_version_patch = 0\n# model = bernoulli_model\n"
                               r"# start_datetime = \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\n"
                               r"# method = sample \(Default\)\n#   sample\n#     num_samples = 20\n")
        self.assertRegex(text, r"# Adaptation terminated\n# Step size = .*\n"
                               r"# Diagonal elements of inverse mass matrix:\n# ")
        self.assertRegex(text, r"# \n#  Elapsed Time: .* seconds \(Warm-up\)\n")

    def test_the_same_seed_gives_the_same_draws(self):
        for name in "ab":
            self.run_driver(f"sample num_samples=50 data file=data.json random seed=7 "
                            f"output file={name}.csv")
        self.assertEqual(self.draws("a.csv"), self.draws("b.csv"))
        self.run_driver("sample num_samples=50 data file=data.json random seed=8 output file=c.csv")
        self.assertNotEqual(self.draws("a.csv"), self.draws("c.csv"))

    def test_every_kind_of_hmc_runs(self):
        for engine in ("nuts", "static int_time=1"):
            for metric in ("unit_e", "diag_e", "dense_e"):
                for engaged in (0, 1):
                    line = (f"sample num_samples=400 num_warmup=200 adapt engaged={engaged} "
                            f"algorithm=hmc engine={engine} metric={metric} stepsize=0.8 "
                            "data file=data.json random seed=3 output file=out.csv")
                    with self.subTest(line):
                        result = self.run_driver(line)
                        self.assertEqual(result.returncode, 0, result.stderr)
                        header, rows = self.draws("out.csv")
                        theta = [row[header.index("theta")] for row in rows]
                        # beta(3, 9): mean 1/4, sd 0.12; with 400 correlated draws
                        # (at least 25 effective) four standard errors are 0.1
                        self.assertAlmostEqual(sum(theta) / len(theta), 0.25, delta=0.1)

    def test_fixed_param_repeats_its_start(self):
        self.run_driver("sample algorithm=fixed_param num_samples=3 data file=data.json "
                        "random seed=1 output file=out.csv")
        header, rows = self.draws("out.csv")
        self.assertEqual(header, ["lp__", "accept_stat__", "theta", "log_odds"])
        self.assertEqual(len({row[2] for row in rows}), 1)

    def test_several_chains_have_several_files(self):
        result = self.run_driver("sample num_chains=2 num_samples=10 adapt save_metric=1 "
                                 "id=4 data file=data.json random seed=1 output file=out.csv "
                                 "diagnostic_file=diag.csv")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("Chain [5] Iteration: ", result.stdout)
        names = set(os.listdir(self.folder))
        self.assertLessEqual({"out_4.csv", "out_5.csv", "diag_4.csv", "diag_5.csv",
                              "out_metric_4.json", "out_metric_5.json"}, names)
        self.assertNotEqual(self.draws("out_4.csv"), self.draws("out_5.csv"))
        metric = json.loads(self.read("out_metric_4.json"))
        self.assertEqual(metric["metric_type"], "diag_e")
        self.assertEqual(len(metric["inv_metric"]), 1)

    def test_a_metric_can_be_given(self):
        with open(self.path("metric.json"), "w") as f:
            json.dump({"inv_metric": [0.125]}, f)
        line = ("sample num_samples=5 adapt engaged=0 algorithm=hmc metric_file={} stepsize=0.5 "
                "data file=data.json random seed=1 output file=out.csv")
        result = self.run_driver(line.format("metric.json"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("# Diagonal elements of inverse mass matrix:\n# 0.125\n", self.read("out.csv"))
        self.assert_refused(line.format("none.json"), 'Can\'t open specified file, "none.json"')

    def test_variational_writes_the_mean_first(self):
        for algorithm in ("meanfield", "fullrank"):
            result = self.run_driver(f"variational algorithm={algorithm} output_samples=10 "
                                     "data file=data.json random seed=1 output file=out.csv")
            self.assertEqual(result.returncode, 0, result.stderr)
            header, rows = self.draws("out.csv")
            self.assertEqual(header, ["lp__", "log_p__", "log_g__", "theta", "log_odds"])
            self.assertEqual(len(rows), 11)
            self.assertIn("# Stepsize adaptation complete.\n# eta = ", self.read("out.csv"))

    def test_generate_quantities_follows_the_fit(self):
        self.run_driver("sample num_samples=10 data file=data.json random seed=1 output file=fit.csv "
                        "sig_figs=18")
        result = self.run_driver("generate_quantities fitted_params=fit.csv data file=data.json "
                                 "output file=gq.csv sig_figs=18")
        self.assertEqual(result.returncode, 0, result.stderr)
        header, rows = self.draws("gq.csv")
        self.assertEqual(header, ["log_odds"])
        fit_header, fit = self.draws("fit.csv")
        for row, fitted in zip(rows, fit):
            self.assertAlmostEqual(row[0], fitted[fit_header.index("log_odds")], places=12)
        self.assertEqual(len(rows), 10)

    def test_generate_quantities_from_a_private_fit_says_that_it_is_not_private(self):
        self.run_driver("sample num_samples=10 data file=data.json random seed=1 output file=fit.csv")
        with open(self.path("dp.csv"), "w") as f:
            f.write("# privacy: epsilon = 1\n" + self.read("fit.csv"))
        line = "generate_quantities fitted_params={} data file=data.json output file=gq.csv"
        self.assertIn("NOT PRIVATE", self.run_driver(line.format("dp.csv")).stdout)
        self.assertNotIn("NOT PRIVATE", self.run_driver(line.format("fit.csv")).stdout)

    def test_diagnose_gradient(self):
        result = self.run_driver("diagnose test=gradient data file=data.json random seed=1")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("TEST GRADIENT MODE", result.stdout)
        self.assertRegex(result.stdout, r"param idx +value +model +finite diff +error")

    def test_config_as_json(self):
        self.run_driver("sample num_samples=10 adapt delta=0.9 data file=data.json random seed=1 "
                        "output file=out.csv save_cmdstan_config=1")
        config = json.loads(self.read("out_config.json"))
        self.assertEqual(config["model_name"], "bernoulli_model")
        sample = config["method"]["sample"]
        self.assertEqual(sample["num_samples"], 10)
        self.assertEqual(sample["adapt"]["delta"], 0.9)
        self.assertEqual(sample["algorithm"]["value"], "hmc")
        self.assertEqual(sample["algorithm"]["hmc"]["metric"], {"value": "diag_e"})

    def test_info(self):
        result = self.run_driver("info")
        self.assertEqual(result.returncode, 0)
        self.assertEqual(result.stdout, "stan_version_major = 2\nstan_version_minor = 35\n"
                         "stan_version_patch = 0\nSTAN_THREADS=true\nSTAN_MPI=false\n"
                         "STAN_OPENCL=false\nSTAN_NO_RANGE_CHECKS=false\nSTAN_CPP_OPTIMS=false\n")


class Refusals(Driver):
    def test_files_that_cannot_be_read(self):
        self.assert_refused("sample data file=none.json",
                            'Can\'t open specified file, "none.json"')
        self.assert_refused("sample init=none.json data file=data.json",
                            'Can\'t open specified file, "none.json"')
        self.assert_refused("generate_quantities data file=data.json",
                            "Missing fitted_params argument, cannot run generate_quantities "
                            "without fitted sample.")
        self.assert_refused("generate_quantities fitted_params=a.csv data file=data.json "
                            "output file=a.csv", "Filename conflict, fitted_params file a.csv")

    def test_contradictions(self):
        self.assert_refused("sample num_warmup=0 data file=data.json",
                            "The number of warmup samples (num_warmup) must be greater than zero "
                            "if adaptation is enabled.")
        self.assert_refused("sample num_chains=2 algorithm=hmc engine=static data file=data.json",
                            "Argument 'num_chains' is unavailable for the 'static' HMC engine.")
        self.assert_refused("sample adapt engaged=0 save_metric=1 data file=data.json",
                            "Saving the adapted metric (save_metric=1)")
        self.assert_refused("variational adapt engaged=1 algorithm=dp_meanfield privacy epsilon=1 delta=1e-6 clip=1 "
                            "data file=data.json", "adapt engaged=1 is refused with algorithm=dp_meanfield: it reads "
                            "the ELBO")

    def test_methods_of_cmdstan_alone(self):
        self.assert_refused("optimize data file=data.json", "The stand-alone driver has no optimize")

    def test_lenient_numbers_are_refused_for_private_options(self):
        for text in ("1,5", "1e-6junk", "0x10", "inf", "nan"):
            self.assert_refused(f"sample algorithm=dp_hmc privacy epsilon={text} delta=1e-6 "
                                "data file=data.json", f"epsilon={text} is refused: ")
        self.assert_refused("sample algorithm=dp_hmc num_leapfrog=1e3 data file=data.json",
                            "num_leapfrog=1e3 is refused: ")

    def test_a_missing_budget(self):
        for algorithm in ("dp_hmc", "dp_penalty", "dp_sgld", "dp_sghmc", "dp_sgnht"):
            self.assert_refused(f"sample algorithm={algorithm} data file=data.json",
                                "privacy epsilon and delta are missing: they have no default")
        self.assert_refused("variational algorithm=dp_meanfield privacy epsilon=1 data file=data.json",
                            "privacy delta is missing: it has no default")

    def test_outputs_that_a_private_run_may_not_have(self):
        self.assert_refused("sample algorithm=dp_hmc privacy epsilon=1 delta=1e-6 "
                            "data file=data.json output diagnostic_file=d.csv",
                            "output diagnostic_file is refused with algorithm=dp_hmc")


class Output(Driver):
    def test_a_directory_that_does_not_exist_is_known_before_the_run(self):
        result = self.run_driver("sample data file=data.json output file=none/out.csv")
        self.assertEqual(result.returncode, 1)
        self.assertIn("Can't open output file, \"none/out.csv\": No such file or directory.",
                      result.stderr)
        self.assertNotIn("Iteration", result.stdout)

    def test_a_full_disk_is_known_before_the_run(self):
        os.symlink("/dev/full", self.path("full.csv"))
        result = self.run_driver("sample data file=data.json output file=full.csv")
        self.assertEqual(result.returncode, 1)
        self.assertIn("No space left on device", result.stderr)
        self.assertNotIn("Iteration", result.stdout)

    def test_a_disk_that_fills_up_is_an_error_and_leaves_whole_lines(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000))
        result = self.run_driver("sample data file=data.json random seed=1 output file=out.csv",
                                 preexec_fn=limit)
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn("Can't write to output file", result.stderr)
        self.assert_whole_lines("out.csv")

    def assert_whole_lines(self, name):
        text = self.read(name)
        self.assertTrue(text.endswith("\n"))
        header, rows = self.draws(name)
        self.assertGreater(len(rows), 0)
        for row in rows:
            self.assertEqual(len(row), len(header))

    def interrupt(self, line, which, name):
        process = subprocess.Popen([PROGRAM] + line.split(), cwd=self.folder, text=True,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        while not (os.path.exists(self.path(name)) and os.path.getsize(self.path(name)) > 20000):
            self.assertIsNone(process.poll(), "the run ended before the signal")
            time.sleep(0.01)
        process.send_signal(which)
        _, err = process.communicate()
        return process.returncode, err

    def test_signals_end_the_run_after_a_whole_line(self):
        for which in (signal.SIGINT, signal.SIGTERM):
            for chains, name in ((1, "out.csv"), (2, "out_1.csv")):
                with self.subTest(which=which, chains=chains):
                    code, err = self.interrupt(
                        f"sample num_samples=100000000 num_chains={chains} "
                        "data file=data.json output file=out.csv", which, name)
                    self.assertEqual(code, 128 + which)
                    self.assertIn("Interrupted", err)
                    self.assert_whole_lines(name)
                    os.remove(self.path(name))


if __name__ == "__main__":
    unittest.main()
