"""CmdStan's stansummary and diagnose read what the stand-alone driver writes."""
import json
import os
import subprocess
import tempfile
import unittest

import environment


class Tools(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.stansummary = environment.tool("stansummary")
        cls.diagnose = environment.tool("diagnose")
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        with open(os.path.join(cls.folder, "data.json"), "w") as f:
            json.dump({"N": 10, "y": [0, 1, 0, 0, 0, 0, 0, 0, 0, 1]}, f)
        subprocess.run([environment.model("bernoulli"), "sample", "num_chains=2", "data",
                        "file=data.json", "random", "seed=1", "output", "file=nuts.csv"],
                       cwd=cls.folder, check=True, capture_output=True)

    def run_tool(self, program, *files):
        result = subprocess.run([program, *files], cwd=self.folder, text=True, capture_output=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def test_stansummary(self):
        text = self.run_tool(self.stansummary, "nuts_1.csv", "nuts_2.csv")
        self.assertIn("Inference for Stan model: bernoulli_model\n2 chains: each with iter=1000; "
                      "warmup=1000; thin=1; 1000 iterations saved.", text)
        self.assertRegex(text, r"\ntheta +0\.2\d ")
        self.assertIn("Samples were drawn using hmc with nuts.", text)

    def test_diagnose(self):
        text = self.run_tool(self.diagnose, "nuts_1.csv", "nuts_2.csv")
        self.assertIn("No divergent transitions found.", text)
        self.assertIn("Processing complete", text)


if __name__ == "__main__":
    unittest.main()
