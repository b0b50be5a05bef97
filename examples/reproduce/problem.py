"""A model with simulated data, exact draws of its posterior, and starting points around the truth."""
import os
import statistics

from figure import Figure  # noqa: F401  (puts lib on the path)
from lib import runs

simulation = runs.simulation()


class Problem:
    """`options` go to the generator of the model; files are made once in `folder`."""

    def __init__(self, model, folder, n, public, truth, options, chains=4, seed=1, neighbors="substitute"):
        self.model, self.public, self.n = model, public, n
        self.chains, self.neighbors = chains, neighbors
        self.longest = 10**9  # iterations of a chain
        self.folder = folder
        self.data, self.exact = self.path("data.json"), self.path("exact.csv")
        self.delta = 0.1 / n
        os.makedirs(folder, exist_ok=True)
        generator = runs.generator(model)
        data = generator.simulate(n, seed, **options)
        runs.write_json(data, self.data)
        names, rows = generator.exact_draws(data, 1000, seed + 1)
        simulation.write_draws(names, rows, self.exact)
        sds = [statistics.stdev(column) for column in zip(*rows)]
        self.truth, self.spread = truth, statistics.fmean(sds)
        self.start_sd = self.spread
        self.draws, self.start_at_draws = rows, False

    def path(self, file):
        return os.path.join(self.folder, file)

    def starts(self, repeat, chains):
        """Files of starting points: the truth, one mean posterior sd away, or exact draws of the posterior."""
        rng = simulation.generator(1000 + repeat)
        files = runs.chain_files(self.path(f"start_{repeat}.json"), chains)
        for file in files:
            around = [rng.gauss(t, self.start_sd) for t in self.truth]
            runs.write_json({"theta": rng.choice(self.draws) if self.start_at_draws else around}, file)
        return self.path(f"start_{repeat}.json")

    def sample(self, name, epsilon, iterations, algorithm, privacy, repeat, chains=None, adapt=False,
               start=True, warmup=None):
        """Runs `iterations` for each chain and keeps those after `warmup` (half of them). Without epsilon no noise is added."""
        chains = chains or self.chains
        warmup = iterations // 2 if warmup is None else warmup
        words = ["sample", f"num_chains={chains}", f"num_warmup={warmup}", f"num_samples={iterations - warmup}"]
        words += ["adapt", f"engaged={int(adapt)}"] + algorithm
        budget = ["engaged=0"] if epsilon is None else [f"epsilon={epsilon}", f"delta={self.delta!r}"]
        words += ["privacy", *budget, "neighbors=" + self.neighbors, f"noise_seed={repeat}",
                  "public=" + self.public] + privacy + ["num_threads=2", "random", f"seed={repeat + 1}"]
        return runs.sample(self.model, words, self.data, self.path(f"{name}_{epsilon}_{repeat}.csv"),
                           chains, self.starts(repeat, chains) if start else None)

    def judge(self, files):
        """MMD, distance of the means in mean posterior sds, largest R-hat, mean acceptance."""
        return [runs.mmd([self.exact], files), runs.mean_error([self.exact], files) / self.spread,
                runs.split_rhat(files), runs.acceptance(files)]
